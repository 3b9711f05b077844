import { expect, test } from 'vitest';

import { deviceCookieHeader, deviceCookieValue, usesHttps, readDeviceId } from './store.ts';

const PHONE = '+919876543210';
const OWNER = { secret: 'a secret', phone: PHONE };
const ID = 'a-b_'.repeat(11).slice(1);
const VALUE = deviceCookieValue(OWNER.secret, { phone: PHONE, deviceId: ID });
const HEADER = `tessera_device=${VALUE}`;

test('device cookie: has the id of a known device, or a new one, and an HMAC', () => {
  expect(VALUE).toMatch(new RegExp(`^${ID}\\.[0-9a-f]{64}$`));
  const values = [1, 2].map(() =>
    deviceCookieValue(OWNER.secret, { phone: PHONE, deviceId: null }),
  );
  expect(new Set(values).size).toBe(2);
  for (const value of values)
    expect(readDeviceId(`tessera_device=${value}`, OWNER)).toBe(value.slice(0, 43));
});

test('device cookie: is found among others, and valid for one phone and one secret', () => {
  const headers = [HEADER, ` ${HEADER} `, `a=b; ${HEADER};c=d`, `tessera_device=broken; ${HEADER}`];
  for (const header of headers) expect(readDeviceId(header, OWNER), header).toBe(ID);
  for (const other of [{ phone: '+919876543211' }, { secret: 'another secret' }])
    expect(readDeviceId(HEADER, { ...OWNER, ...other })).toBe(null);
});

test.each([
  undefined,
  VALUE,
  `x${HEADER}`,
  `another_device=${VALUE}`,
  `tessera_device=x${VALUE}`,
  `${HEADER}0`,
  HEADER.slice(0, -1),
  `tessera_device=${ID}.${'0'.repeat(64)}`,
  `tessera_device=${'x'.repeat(43)}${VALUE.slice(43)}`,
])('device cookie: the header %j has none', (header) => {
  expect(readDeviceId(header, OWNER)).toBe(null);
});

test.each([
  ['x', 'tessera_device=x; Path=/api/otp; Max-Age=31536000; HttpOnly; SameSite=Lax'],
  ['', 'tessera_device=; Path=/api/otp; Max-Age=0; HttpOnly; SameSite=Lax'],
])('device cookie: %j is sent to the code endpoints or removed, over TLS only', (value, cookie) => {
  expect(deviceCookieHeader(value, false)).toBe(cookie);
  expect(deviceCookieHeader(value, true)).toBe(`${cookie}; Secure`);
});

const from = (origin: string) => ({ client: { origin } });

test('device cookie: the page uses TLS if its request or PUBLIC_URL does', () => {
  expect(usesHttps(from('https://inner.example'), 'http://cards.example')).toBe(true);
  const urls = ['https://cards.example', null, undefined, 'http://cards.example/https:'];
  const secure = urls.map((url) => usesHttps(from('http://inner.example'), url));
  expect(secure).toEqual([true, false, false, false]);
});
