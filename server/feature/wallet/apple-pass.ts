import { createRequire } from 'node:module';

import type { Barcode, Field, PassProps } from 'passkit-generator';

import { displayName } from '#domain/display.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import { bytesOf } from '#server/adapter/html/web-files.ts';
import type { Settings } from '#server/settings/settings.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { JobProcesses } from '#server/adapter/image/job-process.ts';

import icon1 from './icon/icon.png?inline';
import icon2 from './icon/icon@2x.png?inline';
import icon3 from './icon/icon@3x.png?inline';
import workerCode from './pass-worker.js?raw';

const WHITE = '#ffffff';
/** scripts/icons.mjs draws them: 29 points, at one, two and three pixels per point. */
const ICONS = {
  'icon.png': bytesOf(icon1),
  'icon@2x.png': bytesOf(icon2),
  'icon@3x.png': bytesOf(icon3),
};

export interface LinkedCard extends Card {
  readonly link: string;
  readonly linkText: string;
}

export type PassDescription = ReturnType<typeof describeApplePass>;

export function describeApplePass(
  settings: Settings,
  { profile, palette, link, linkText }: LinkedCard,
) {
  const { applePassKeyPassphrase: passphrase, productName } = settings;
  const lines = [
    { key: 'designation', label: 'Designation', value: profile.designation },
    { key: 'company', label: 'Company', value: profile.companyName },
  ];
  return {
    icons: ICONS,
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
    } satisfies PassProps,
    primaryFields: [{ key: 'name', label: '', value: displayName(profile) }] satisfies Field[],
    secondaryFields: lines.filter(({ value }) => value !== '') satisfies Field[],
    barcode: {
      format: 'PKBarcodeFormatQR',
      message: link,
      messageEncoding: 'iso-8859-1',
      ...(linkText !== '' && { altText: linkText }),
    } satisfies Barcode,
  };
}

function rgb(colour: string): string {
  const [red, green, blue] = Buffer.from(colour.slice(1), 'hex');
  return `rgb(${red}, ${green}, ${blue})`;
}

const WAITING_MAX = 7;
const TIMEOUT_MS = 10 * SECOND_MS;

/** Passes are signed in a process of its own, which gets the certificates and the key with each pass. */
export function createPassSigner() {
  const processes = new JobProcesses<{ readonly bytes: Uint8Array }>({
    command: () => [
      ['-e', workerCode],
      { PASSKIT_PATH: createRequire(import.meta.url).resolve('passkit-generator') },
    ],
    runningMax: 1,
    waitingMax: WAITING_MAX,
    timeoutMs: TIMEOUT_MS,
    messages: {
      full: "We're making a lot of passes right now. Try again in a moment.",
      failed: "We couldn't make the pass just now. Try again.",
    },
  });
  return {
    sign: (description: PassDescription) =>
      processes.run(async (send) => Buffer.from((await send(description)).bytes)),
    close: () => processes.close(),
  };
}
