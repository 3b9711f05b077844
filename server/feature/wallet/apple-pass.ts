import type { Barcode, Field, PassProps } from 'passkit-generator';

import { displayName } from '#domain/display.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import { markSvg } from '#server/adapter/html/mark.ts';
import type { Renderer } from '#server/adapter/image/renderer.ts';
import type { Settings } from '#server/settings/settings.ts';

const WHITE = '#ffffff';
/** In points. */
const ICON_SIDE_PT = 29;
const ICON_SCALES = [
  { name: 'icon.png', scale: 1 },
  { name: 'icon@2x.png', scale: 2 },
  { name: 'icon@3x.png', scale: 3 },
] as const;

interface ApplePassCard extends Card {
  readonly link: string;
}

export async function renderPassIcons(renderer: Renderer): Promise<Record<string, Buffer>> {
  return renderer.render(async (renderImage) => {
    const icons: [string, Buffer][] = [];
    for (const { name, scale } of ICON_SCALES) {
      const input = Buffer.from(markSvg({ sidePx: ICON_SIDE_PT * scale }));
      icons.push([name, (await renderImage({ input })).data]);
    }
    return Object.fromEntries(icons);
  });
}

export interface PassDescription {
  readonly icons: Readonly<Record<string, Buffer>>;
  readonly certificates: {
    readonly wwdr: string;
    readonly signerCert: string;
    readonly signerKey: string;
    readonly signerKeyPassphrase?: string;
  };
  readonly properties: PassProps;
  readonly primaryFields: Field[];
  readonly secondaryFields: Field[];
  readonly barcode: Barcode;
}

export function describeApplePass(
  settings: Settings,
  icons: Record<string, Buffer>,
  { profile, palette, link }: ApplePassCard,
): PassDescription {
  const { applePassKeyPassphrase: passphrase, productName } = settings;
  const lines = [
    { key: 'designation', label: 'Designation', value: profile.designation },
    { key: 'company', label: 'Company', value: profile.companyName },
  ];
  return {
    icons,
    certificates: {
      wwdr: settings.applePassWwdr,
      signerCert: settings.applePassCertificate,
      signerKey: settings.applePassKey,
      ...(passphrase !== '' && { signerKeyPassphrase: passphrase }),
    },
    properties: {
      passTypeIdentifier: settings.applePassTypeId,
      teamIdentifier: settings.applePassTeamId,
      serialNumber: profile._id,
      organizationName: productName,
      description: `${displayName(profile)}: ${productName}`,
      logoText: productName,
      foregroundColor: rgb(WHITE),
      backgroundColor: rgb(palette.deep.light),
      labelColor: rgb(palette.light),
    },
    primaryFields: [{ key: 'name', label: '', value: displayName(profile) }],
    secondaryFields: lines.filter(({ value }) => value !== ''),
    barcode: { format: 'PKBarcodeFormatQR', message: link, messageEncoding: 'iso-8859-1' },
  };
}

function rgb(colour: string): string {
  const [red, green, blue] = Buffer.from(colour.slice(1), 'hex');
  return `rgb(${red}, ${green}, ${blue})`;
}
