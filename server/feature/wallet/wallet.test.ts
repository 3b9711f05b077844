import { execFileSync } from 'node:child_process';
import { createPublicKey, hash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

import { jwtVerify } from 'jose';
import sharp from 'sharp';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

import { idPalette } from '#domain/palette.ts';
import { passPath } from '#domain/share.ts';
import { buildTestApp, signInByToken, useOwner, useTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { settingsError } from '#tests/support/settings.ts';
import { createWalletKeys } from '#tests/support/wallet-keys.ts';
import { words } from '#tests/support/words.ts';

/** More passes than may wait at the same time (docs/develop/security.md#limits). */
const PASSES = 10;

// Passes are signed in another process, so this one must not load the library.
vi.mock('passkit-generator', () => {
  throw new Error('passkit-generator is loaded in the process of the server.');
});

const ROLE = { designation: 'Principal Architect', companyName: 'Rao & Partners' };
const CARD = { ...ROLE, name: 'Asha Rao', phone: '9876543210' };

const keys = createWalletKeys();
afterAll(() => keys.dispose());
const environment = { ...keys.apple, ...keys.google, PUBLIC_URL: 'https://cards.example.com' };
const { database, testApp } = useTestApp(openTestSqlite, { environment });
const owner = useOwner(testApp);
beforeEach(async () => {
  await owner.post('user/updateUser', CARD);
  await owner.post('user/:id/address', { name: 'asha-rao' });
});
const signInOthers = () =>
  Promise.all(
    Array.from({ length: PASSES }, async (_, index) => {
      return (await signInByToken(testApp, `+919000000${100 + index}`))._id;
    }),
  );

/** This text is below the QR code, which contains the id. */
const LINK_TEXT = 'https://cards.example.com/@asha-rao';

const getPass = (id: string) => testApp.app.inject(passPath(id));

function unpack(pass: Buffer): string {
  const folder = keys.path(`pass-${String(pass.length)}-${String(Date.now())}`);
  mkdirSync(folder);
  writeFileSync(`${folder}.pkpass`, pass);
  execFileSync('unzip', ['-q', `${folder}.pkpass`, '-d', folder]);
  return folder;
}

test('Apple pass: shows name, designation, company and the QR code of the card, and is signed', async () => {
  const response = await getPass(owner._id);
  expect(response.headers['content-type']).toBe('application/vnd.apple.pkpass');
  const folder = unpack(response.rawPayload);
  const deep = idPalette(owner._id).deep.light;
  const url = `https://cards.example.com/user/${owner._id}`;
  expect(JSON.parse(readFileSync(`${folder}/pass.json`, 'utf8'))).toMatchObject({
    formatVersion: 1,
    passTypeIdentifier: 'pass.com.example.card',
    teamIdentifier: 'A1B2C3D4E5',
    serialNumber: owner._id,
    organizationName: 'Tessera',
    foregroundColor: 'rgb(255, 255, 255)',
    backgroundColor: `rgb(${Buffer.from(deep.slice(1), 'hex').join(', ')})`,
    generic: {
      primaryFields: [{ value: 'Asha Rao' }],
      secondaryFields: [{ value: 'Principal Architect' }, { value: 'Rao & Partners' }],
    },
    barcodes: [{ format: 'PKBarcodeFormatQR', message: url, altText: LINK_TEXT }],
  });
  const icon = await sharp(`${folder}/icon@2x.png`).metadata();
  expect([icon.format, icon.width]).toEqual(['png', 58]);
  // openssl accepts the signature of the pass, and the manifest has the hash of each file.
  const command = `smime -verify -inform DER -in ${folder}/signature -purpose any
    -content ${folder}/manifest.json -CAfile ${keys.authority}`;
  const verify = () => execFileSync('openssl', words(command), { stdio: 'pipe' });
  verify();
  const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8')) as object;
  const files = readdirSync(folder).filter((name) => !/^(?:manifest\.json|signature)$/.test(name));
  const hashOf = (name: string) => hash('sha1', readFileSync(`${folder}/${name}`));
  expect(manifest).toEqual(Object.fromEntries(files.map((name) => [name, hashOf(name)])));
  writeFileSync(`${folder}/manifest.json`, JSON.stringify({ ...manifest, more: 'x' }));
  expect(verify).toThrow(/verification failure|digest failure/i);
});

test('Apple pass: follows a change of the card, and does not exist for an unknown one', async () => {
  const before = await getPass(owner._id);
  expect((await getPass(owner._id)).rawPayload.equals(before.rawPayload)).toBe(true);
  await owner.post('user/updateUser', { name: 'अनन्या <b>' });
  const folder = unpack((await getPass(owner._id)).rawPayload);
  expect(readFileSync(`${folder}/pass.json`, 'utf8')).toContain('अनन्या <b>');
  for (const id of ['1111111111111111', 'nobody']) expect((await getPass(id)).statusCode).toBe(404);
});

test('Apple pass: one address and one card have 2 at once, so others get theirs meanwhile', async () => {
  const { app } = buildTestApp(database, { environment: keys.apple });
  let hosts = 0;
  const statusOf = async (id: string, remoteAddress: string) => {
    // Without PUBLIC_URL each host gets a pass of its own.
    const headers = { host: `host-${(hosts += 1)}.example` };
    return (await app.inject({ url: passPath(id), headers, remoteAddress })).statusCode;
  };
  const [card = '', ...cards] = await signInOthers();
  const fromOneAddress = cards.map((id) => statusOf(id, '203.0.113.7'));
  const toOneCard = cards.map((_, index) => statusOf(card, `192.0.2.${index}`));
  expect(await statusOf(owner._id, '198.51.100.7')).toBe(200);
  const expected = [200, 200, ...cards.slice(2).map(() => 429)];
  for (const attack of [fromOneAddress, toOneCard])
    expect((await Promise.all(attack)).toSorted((left, right) => left - right)).toEqual(expected);
  expect(await statusOf(card, '203.0.113.7')).toBe(200);
});

test('Apple pass: 8 wait at once, the others are 503 with Retry-After; cards are served meanwhile', async () => {
  const { app } = buildTestApp(database, { environment: keys.apple });
  let answered = 0;
  const requests = (await signInOthers()).map(async (id, index) => {
    const pass = await app.inject({ url: passPath(id), remoteAddress: `192.0.2.${index}` });
    answered += 1;
    return pass;
  });
  expect((await app.inject(`/user/${owner._id}`)).statusCode).toBe(200);
  expect(answered).toBeLessThan(PASSES);
  const passes = await Promise.all(requests);
  const found = passes.map((one) => `${one.statusCode},${one.headers['retry-after'] ?? ''}`);
  // On a busy machine, some that wait reach their time limit too.
  expect(found.filter((one) => one === '503,5').length).toBeGreaterThanOrEqual(PASSES - 8);
  expect(found.filter((one) => one !== '503,5')).toEqual(found.filter((one) => one === '200,'));
  expect(found).toContain('200,');
});

test('Google link: is a JWT of the service account with the card', async () => {
  const { url } = (await owner.get('wallet/getGoogleLink')).json<{ url: string }>();
  const [, jwt = ''] = /^https:\/\/pay\.google\.com\/gp\/v\/save\/(.+)$/.exec(url) ?? [];
  const key = createPublicKey(keys.google.GOOGLE_WALLET_KEY);
  const { payload, protectedHeader } = await jwtVerify(jwt, key, {
    issuer: keys.google.GOOGLE_WALLET_ACCOUNT,
    audience: 'google',
    currentDate: new Date(testApp.clock.now()),
  });
  expect(protectedHeader.alg).toBe('RS256');
  const value = `https://cards.example.com/user/${owner._id}`;
  const card = {
    id: `3388000000012345678.${owner._id}`,
    classId: '3388000000012345678.card',
    header: { defaultValue: { value: 'Asha Rao' } },
    subheader: { defaultValue: { value: 'Principal Architect' } },
    textModulesData: [{ body: 'Rao & Partners' }],
    barcode: { type: 'QR_CODE', value, alternateText: LINK_TEXT },
    hexBackgroundColor: idPalette(owner._id).deep.light,
  };
  expect(payload).toMatchObject({ typ: 'savetowallet', payload: { genericObjects: [card] } });
});

test('wallets: have no routes without their settings', async () => {
  const on = buildTestApp(database);
  for (const response of [
    owner.page('/card.pkpass', { on }),
    owner.get('wallet/getGoogleLink', { on }),
  ])
    expect((await response).statusCode).toBe(404);
});

test('wallet settings: an error names the setting and does not repeat it', () => {
  const { apple, google } = keys;
  const key = google.GOOGLE_WALLET_KEY;
  const sentences = {
    'APPLE_PASS_TEAM_ID must be set, because APPLE_PASS_TYPE_ID is set.': {
      APPLE_PASS_TEAM_ID: '',
    },
    'APPLE_PASS_KEY is not the key of APPLE_PASS_CERTIFICATE.': { APPLE_PASS_KEY: key },
    'APPLE_PASS_CERTIFICATE must be a certificate in PEM format.': { APPLE_PASS_CERTIFICATE: key },
    'GOOGLE_WALLET_KEY must be a private key in PEM format.': { GOOGLE_WALLET_KEY: 'x' },
  };
  const errors = Object.values(sentences).map((one) =>
    settingsError({ ...apple, ...google, ...one }),
  );
  expect(errors).toEqual(Object.keys(sentences));
});
