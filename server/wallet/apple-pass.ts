import { displayName } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';
import { INK, MUTED, PAPER } from '#server/html/light-theme.ts';
import { markSvg } from '#server/html/mark.ts';
import type { Renderer } from '#server/image/renderer.ts';
import type { ApplePassSettings } from '#server/wallet-settings.ts';

/** The icon's side in points, and the scales that Apple Wallet uses. */
const ICON_SIDE_PT = 29;
const ICON_SCALES = [
  { name: 'icon.png', scale: 1 },
  { name: 'icon@2x.png', scale: 2 },
  { name: 'icon@3x.png', scale: 3 },
] as const;

interface ApplePassCard {
  readonly profile: Profile;
  /** The URL in the QR code. */
  readonly link: string;
  readonly productName: string;
}

/** Returns the files of a pass's icon by name. */
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

/** Returns a signed pass (.pkpass): name, designation, company and the QR code of a card. */
export async function createApplePass(
  settings: ApplePassSettings,
  icons: Record<string, Buffer>,
  { profile, link, productName }: ApplePassCard,
): Promise<Buffer> {
  // Loaded for the first pass, because few services offer passes.
  const { PKPass } = await import('passkit-generator');
  const { typeId, teamId, certificate, key, passphrase, intermediate } = settings;
  const pass = new PKPass(
    icons,
    {
      wwdr: intermediate,
      signerCert: certificate,
      signerKey: key,
      ...(passphrase !== '' && { signerKeyPassphrase: passphrase }),
    },
    {
      passTypeIdentifier: typeId,
      teamIdentifier: teamId,
      serialNumber: profile._id,
      organizationName: productName,
      description: `${displayName(profile)}: ${productName}`,
      logoText: productName,
      foregroundColor: rgb(INK),
      backgroundColor: rgb(PAPER),
      labelColor: rgb(MUTED),
    },
  );
  pass.type = 'generic';
  pass.primaryFields.push({ key: 'name', label: '', value: displayName(profile) });
  const lines = [
    { key: 'designation', label: 'Designation', value: profile.designation },
    { key: 'company', label: 'Company', value: profile.companyName },
  ];
  pass.secondaryFields.push(...lines.filter(({ value }) => value !== ''));
  pass.setBarcodes({ format: 'PKBarcodeFormatQR', message: link, messageEncoding: 'iso-8859-1' });
  return pass.getAsBuffer();
}

/** Returns a colour '#rrggbb' in the form that a pass requires. */
function rgb(colour: string): string {
  const [red, green, blue] = Buffer.from(colour.slice(1), 'hex');
  return `rgb(${red}, ${green}, ${blue})`;
}
