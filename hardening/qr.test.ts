import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import sharp from 'sharp';
import { expect, test } from 'vitest';

import { QR_SIZE_PX } from '#domain/share.ts';
import { newUserId } from '#server/token.ts';
import { newFolder } from '#tests/support/folder.ts';
import { print } from '#tests/support/print.ts';
import { createQrCode, qrViewBox } from '#view/qr-code.ts';

const READER = '/usr/bin/ZXingReader';
const ORIGINS = [
  'http://localhost:3000',
  'https://tessera.example',
  'https://a-rather-long-name-of-a-company.cards.example.co.in:8443',
  'https://xn--11b4d3a.example',
];
const hasReader = existsSync(READER);
if (!hasReader) print('zxing-cpp-tools is not installed: ZXing does not check the QR codes.');

/** The QR code of an address in the size in which the dashboard downloads it: 256 by 256 pixels. */
async function render(address: string): Promise<Buffer> {
  const code = createQrCode(address);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${qrViewBox(code)}">` +
    `<path fill="#fff" d="M-9-9h999v999H-9z"/><path fill="#16181d" d="${code.path}"/></svg>`;
  return sharp(Buffer.from(svg)).resize(QR_SIZE_PX, QR_SIZE_PX).png().toBuffer();
}

const addresses = ORIGINS.flatMap((origin) =>
  Array.from({ length: 25 }, () => `${origin}/user/${newUserId()}`),
);

function readByZxing(png: Buffer): string | undefined {
  const file = join(newFolder(), 'qr.png');
  writeFileSync(file, png);
  const output = execFileSync(READER, ['-format', 'QRCode', file], { encoding: 'utf8' });
  const text = /^Text:\s+"(.*)"$/m.exec(output)?.[1];
  return /EC Level:\s+L/.test(output) ? text : `not level L: ${output}`;
}

test.skipIf(!hasReader)('QR code: ZXing reads each address, at error correction L', async () => {
  for (const address of addresses) expect(readByZxing(await render(address))).toBe(address);
});
