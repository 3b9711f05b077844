import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import ICAL from 'ical.js';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import sharp from 'sharp';
import Card from 'vcf';
import { expect, test } from 'vitest';

import { newFolder } from '#tests/support/folder.ts';
import { CODE_NAMES } from '#tests/support/vcards.ts';
import { createQrCode, qrSvg } from '#view/qr-code.ts';

import { writeContactCode } from './contact-code.ts';
import { countGraphemes } from './text.ts';
import { writeVcard } from './vcard.ts';

const SMALLEST_SCREEN_PX = 320;
const MODULE_PX_MIN = 3;
const QUIET_ZONE_MODULES = 8;

const CONTACT = {
  name: 'Asha Rao',
  designation: 'Principal Architect',
  companyName: 'Rao & Partners',
  email: 'asha@rao.example',
  phone: ['+919876543210'],
  secondPhone: ['+918022223333'],
  link: 'https://cards.example/user/AbCdEfGhJkMnPqRs',
};
type Contact = typeof CONTACT;
const ONLY_NAME = {
  designation: '',
  companyName: '',
  email: '',
  phone: [],
  secondPhone: [],
  link: '',
};
const bytes = (text: string) => Buffer.byteLength(text);

const CONTACTS: readonly Contact[] = CODE_NAMES.flatMap((name) => [
  { ...CONTACT, name },
  { ...CONTACT, name, companyName: name, designation: name },
  { ...CONTACT, ...ONLY_NAME, name },
  { ...CONTACT, name, phone: ['+91 '.padEnd(32, '9')], email: `${'e'.repeat(240)}@rao.example` },
]);

test('code without internet: is the contact file, with the link', () => {
  const { link: url, secondPhone, ...fields } = CONTACT;
  expect(writeContactCode(CONTACT)).toBe(writeVcard(fields, { phone: secondPhone, url }));
});

const left = (companyName: string, email: string) => {
  const code = writeContactCode({ ...CONTACT, companyName, email });
  return (code.match(/^(TITLE|ORG|EMAIL|TEL|URL)/gm) ?? []).join(' ');
};

test('code without internet: leaves out one thing after the other above 300 bytes', () => {
  const lengths = [40, 70, 90, 120].map((length) => left('C'.repeat(length), CONTACT.email));
  expect(lengths).toEqual([
    'TITLE ORG EMAIL TEL TEL URL',
    'ORG EMAIL TEL TEL URL',
    'ORG EMAIL TEL URL',
    'ORG EMAIL TEL',
  ]);
  expect(left('C'.repeat(120), `${'e'.repeat(80)}@rao.example`)).toBe('EMAIL TEL');
  expect(left('', `${'e'.repeat(240)}@rao.example`)).toBe('TEL');
  expect(left('क'.repeat(120), '')).toBe('TEL');
});

test('code without internet: a long name alone may have 858 bytes, and is cut between characters', () => {
  for (const contact of CONTACTS) {
    const code = writeContactCode(contact);
    const only = writeVcard({ name: contact.name, phone: contact.phone });
    if (bytes(only) <= 300) expect(bytes(code)).toBeLessThanOrEqual(300);
    else if (bytes(only) <= 858) expect(code).toBe(only);
    else {
      const [, kept = ''] = /\r\nFN:(.*?)…\r\nTEL/.exec(code.replaceAll('\r\n ', '')) ?? [];
      expect(contact.name.startsWith(kept)).toBe(true);
      expect(countGraphemes(contact.name)).toBe(
        countGraphemes(kept) + countGraphemes(contact.name.slice(kept.length)),
      );
      // One character more would not have fitted.
      expect(bytes(code)).toBeLessThanOrEqual(858);
      expect(bytes(code)).toBeGreaterThan(858 - 70);
    }
  }
});

test('code without internet: modules have at least 3 px on a screen of 320 px', () => {
  const modulePx = CONTACTS.map((contact) => {
    const { side } = createQrCode(writeContactCode(contact));
    return SMALLEST_SCREEN_PX / (side + QUIET_ZONE_MODULES);
  });
  expect(Math.min(...modulePx)).toBeGreaterThanOrEqual(MODULE_PX_MIN);
});

/** Reading a picture takes long, so each name is read once, in each kind of contact in turn. */
const SCANNED = CONTACTS.filter((_, index) => index % 5 === 0);

async function screenPicture(code: string): Promise<Buffer> {
  const svg = qrSvg(code).replace('<svg ', '<svg width="640" height="640" ');
  return sharp(Buffer.from(svg)).flatten({ background: '#fff' }).png().toBuffer();
}

test('code without internet: jsQR reads the code', async () => {
  for (const contact of SCANNED) {
    const code = writeContactCode(contact);
    const { data, width, height } = PNG.sync.read(await screenPicture(code));
    expect(jsQR(new Uint8ClampedArray(data), width, height)?.data).toBe(code);
  }
});

/** Some parsers keep the backslashes of escapes. vobject keeps none, and reads the codes in vcard.test.ts. */
test.each([
  ['ical.js', readWithIcal, /\\([,\\])/g],
  ['vcf', (code: string) => new Card().parse(code).get('fn').valueOf(), /$^/],
])('code without internet: %s reads the name in it', (_, readName, escapes) => {
  for (const contact of CONTACTS) {
    const code = writeContactCode(contact);
    const name = /\r\nFN:(.*)/.exec(code.replaceAll('\r\n ', ''))?.[1];
    expect(readName(code)).toBe(name?.replace(escapes, '$1'));
  }
});

function readWithIcal(code: string): string | undefined {
  const [, properties] = ICAL.parse(code) as [string, [string, object, string, string][]];
  return properties.find(([key]) => key === 'fn')?.[3];
}

// `npm test` names what is not installed.
const ZBAR = '/usr/bin/zbarimg';

test.skipIf(!existsSync(ZBAR))('code without internet: zbar reads the code', async () => {
  for (const contact of SCANNED) {
    const code = writeContactCode(contact);
    const file = join(newFolder(), 'code.png');
    writeFileSync(file, await screenPicture(code));
    const read = execFileSync(ZBAR, ['--raw', '-q', file], {
      encoding: 'utf8',
      // It writes that the message bus of a desktop is missing.
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(read).toBe(`${code}\n`);
  }
});
