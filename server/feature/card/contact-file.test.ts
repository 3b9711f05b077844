import { EventEmitter, once } from 'node:events';

import jsQR from 'jsqr';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';

import { sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { FULL_CARD, FULL_CARD_LINES } from '#tests/support/owner.ts';
import { noise } from '#tests/support/picture.ts';
import { waitUntil } from '#tests/support/polling.ts';

const { testDatabase, testApp } = useTestApp();
const owner = useOwner(testApp);

const readFile = (on = testApp, host = 'localhost') =>
  owner.page('/contact.vcf', { on, headers: { host } });

async function fileOf(card: object) {
  expect((await owner.post('user/updateUser', card)).statusCode).toBe(200);
  return readFile();
}

test('contact file: has the fields of the card and the phone in E.164, and any name of a person is a valid file name', async () => {
  const { headers, body } = await fileOf(FULL_CARD);
  expect(headers['content-type']).toBe('text/vcard; charset=utf-8');
  expect(body.split('\r\n')).toEqual([...FULL_CARD_LINES, 'END:VCARD', '']);
  // A name with a line break can have been stored before line breaks were rejected.
  const name = "अ O'Brien; (2)\r\nSet-Cookie: b\u0007";
  await testDatabase.database.run(sql`UPDATE users SET name = ${name}`);
  const sent = (await readFile(buildTestApp(testDatabase.database))).headers;
  const encoded = '%E0%A4%85%20O%27Brien%3B%20%282%29%20Set-Cookie%20b.vcf';
  const disposition = `inline; filename="card.vcf"; filename*=UTF-8''${encoded}`;
  expect([sent['set-cookie'], sent['content-disposition']]).toEqual([undefined, disposition]);
});

const FULL = { CONTACT_FILE: 'full' };

/** Uploads a photo, by default one that compresses badly. */
async function upload(on: TestApp, photo = noise({ width: 448, height: 448 })) {
  const { statusCode } = await owner.upload(await photo.png().toBuffer(), owner, on);
  expect(statusCode).toBe(200);
}

/** Unfolds the lines of a contact file (RFC 2425, section 5.8.1). */
const linesOf = (file: string) => file.replaceAll('\r\n ', '').split('\r\n');

/** Requests the file until it has a photo, because a busy machine takes more than 2 s to render one. */
const fileWithPhoto = (app: TestApp, host: string) =>
  waitUntil(async () => {
    const { body } = await readFile(app, host);
    return body.includes('PHOTO;') && body;
  });

test('full contact file: adds the address of the card, its networks, About Me and the photo', async () => {
  const full = buildTestApp(testDatabase.database, { environment: FULL });
  const socialMediaHandles = { Web: 'https://rao.example/a,b;c', X: 'https://x.com/rao' };
  await fileOf({ ...FULL_CARD, socialMediaHandles });
  await upload(full);
  const failure = new ApiError('unavailable', "The photo store isn't answering.");
  vi.spyOn(full.dependencies.photos, 'read').mockRejectedValueOnce(failure);
  const without = await readFile(full);
  expect([without.statusCode, without.body.includes('PHOTO')]).toEqual([200, false]);
  const body = await fileWithPhoto(full, 'cards.example.com');
  const [photo = '', ...photos] = linesOf(body).filter((line) => line.startsWith('PHOTO'));
  expect(linesOf(body).filter((line) => line !== photo)).toEqual([
    ...FULL_CARD_LINES,
    `URL:http://cards.example.com/user/${owner._id}`,
    'item1.URL:https://rao.example/a%2Cb%3Bc',
    'item1.X-ABLabel:Website',
    'item2.URL:https://x.com/rao',
    'item2.X-ABLabel:X',
    'NOTE:Houses that keep cool without machines.\\nBengaluru and Pune.',
    'END:VCARD',
    '',
  ]);
  const [name, jpeg = ''] = photo.split(':');
  expect([name, photos]).toEqual(['PHOTO;ENCODING=b;TYPE=JPEG', []]);
  expect(jpeg.length).toBeLessThanOrEqual(12_000);
  expect((await sharp(Buffer.from(jpeg, 'base64')).metadata()).format).toBe('jpeg');
  expect(body.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  // The URL follows the origin of the request, unless PUBLIC_URL is set.
  const again = await readFile(full, 'other.example.com');
  expect(again.body).toContain('URL:http://other.example.com/user/');
  const PUBLIC_URL = 'https://cards.example.com';
  const fixed = buildTestApp(testDatabase.database, { environment: { ...FULL, PUBLIC_URL } });
  expect((await readFile(fixed)).body).toContain(`URL:${PUBLIC_URL}/user/`);
});

test('full contact file: the photo is rendered once for all hosts, and Save gets a file without it after 2 s', async () => {
  const hold = new EventEmitter();
  const held = once(hold, 'release');
  const { photos } = testApp.dependencies;
  const options = { environment: FULL, dependencies: { photos } };
  const full = buildTestApp(testDatabase.database, options);
  const { renderer } = full.dependencies;
  const render = renderer.render.bind(renderer);
  const renders = vi.spyOn(renderer, 'render').mockImplementation(async (picture) => {
    await held;
    return render(picture);
  });
  // The upload reaches another node, which also renders the preview picture.
  await upload(testApp);
  const hosts = Array.from({ length: 20 }, (_, index) => `${index}.example`);
  for (const { statusCode, body } of await Promise.all(hosts.map((host) => readFile(full, host))))
    expect([statusCode, body.includes('PHOTO')]).toEqual([200, false]);
  expect(renders).toHaveBeenCalledOnce();
  hold.emit('release');
  await fileWithPhoto(full, '0.example');
  expect((await readFile(full, '1.example')).body).toContain('PHOTO;');
  expect(renders).toHaveBeenCalledOnce();
});

test('current photo: its address stays when the photo changes, and is 404 without one', async () => {
  expect((await owner.page('/photo.jpg')).statusCode).toBe(404);
  const bodies: Buffer[] = [];
  for (const background of ['#c8401f', '#16181d']) {
    await upload(testApp, sharp({ create: { width: 200, height: 200, channels: 3, background } }));
    const response = await owner.page('/photo.jpg');
    expect(response.headers['content-type']).toBe('image/jpeg');
    bodies.push(response.rawPayload);
  }
  expect(bodies[0]?.equals(bodies[1] ?? Buffer.alloc(0))).toBe(false);
});

const telephones = (body: string) => body.match(/(?<=^TEL;TYPE=CELL:).*(?=\r$)/gm);

test('contact file: has each number of a phone, and the call link of the card is the first one', async () => {
  for (const [phone, link, numbers] of [
    ['98450 12350 / 98450 12351', '+919845012350', ['+919845012350', '+919845012351']],
    ['+44 (0)20 7946 0958', '+442079460958', ['+442079460958']],
    ['1800 123 4567', '18001234567', ['1800 123 4567']],
    ['2345 6789', '23456789', ['2345 6789']],
  ] as const) {
    expect(telephones((await fileOf({ phone })).body)).toEqual(numbers);
    expect((await owner.page()).body).toContain(`href="tel:${link}"`);
  }
  const undialled = await fileOf({ phone: 'ask at the desk' });
  expect(telephones(undialled.body)).toEqual(['ask at the desk']);
});

test('printed QR code: is the address of the card, on white with the quiet zone', async () => {
  const response = await owner.page('/qr.svg', { headers: { host: 'cards.example' } });
  expect(response.headers['content-type']).toBe('image/svg+xml');
  const picture = sharp(response.rawPayload, { density: 600 }).flatten({ background: '#000' });
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const read = jsQR(new Uint8ClampedArray(data), info.width, info.height);
  expect(read?.data).toBe(`http://cards.example/user/${owner._id}`);
  // Four white modules surround the code, and then the finder pattern begins.
  const modules = Number(/viewBox="-4 -4 (\d+)/.exec(response.body)?.[1]);
  const isDark = (module: number) => {
    const pixel = Math.floor(((module + 0.5) * info.width) / modules);
    return (data[4 * (pixel * info.width + pixel)] ?? 0) < 128;
  };
  expect([0, 1, 2, 3, 4].map(isDark)).toEqual([false, false, false, false, true]);
});
