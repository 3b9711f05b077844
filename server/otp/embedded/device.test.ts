import { expect, test } from 'vitest';

import { deviceCookieHeader, deviceCookieValue, isSecure, readDeviceId } from './device.ts';

const SECRET = 'a secret';
const PHONE = '+919876543210';
const OWNER = { secret: SECRET, phone: PHONE };
const ID = 'a-b_'.repeat(11).slice(1);
const VALUE = deviceCookieValue(SECRET, { phone: PHONE, deviceId: ID });

test('device cookie: has the id of a known device, or a new one, and an HMAC', () => {
  expect(VALUE).toMatch(new RegExp(`^${ID}\\.[0-9a-f]{64}$`));
  const values = [1, 2].map(() => deviceCookieValue(SECRET, { phone: PHONE, deviceId: null }));
  expect(new Set(values).size).toBe(2);
  for (const value of values) {
    expect(readDeviceId(`tessera_device=${value}`, OWNER)).toBe(value.slice(0, 43));
  }
});

test.each([
  `tessera_device=${VALUE}`,
  ` tessera_device=${VALUE} `,
  `a=b; tessera_device=${VALUE};c=d`,
  `tessera_device=broken; tessera_device=${VALUE}`,
])('device cookie: is read from the header (%#)', (header) => {
  expect(readDeviceId(header, OWNER)).toBe(ID);
});

test.each([
  undefined,
  '',
  VALUE,
  `xtessera_device=${VALUE}`,
  `another_device=${VALUE}`,
  `tessera_device=x${VALUE}`,
  `tessera_device=${VALUE}0`,
  `tessera_device=${VALUE.slice(0, -1)}`,
  `tessera_device=${ID}.${'0'.repeat(64)}`,
  `tessera_device=${'x'.repeat(43)}${VALUE.slice(43)}`,
])('device cookie: anything else is no device (%#)', (header) => {
  expect(readDeviceId(header, OWNER)).toBe(null);
});

test('device cookie: is valid for one phone and one secret', () => {
  const header = `tessera_device=${VALUE}`;
  expect(readDeviceId(header, { ...OWNER, phone: '+919876543211' })).toBe(null);
  expect(readDeviceId(header, { ...OWNER, secret: 'another secret' })).toBe(null);
});

test('device cookie: is sent to the code endpoints for a year, and only over TLS if the page uses it', () => {
  const cookie = 'tessera_device=x; Path=/api/otp; Max-Age=31536000; HttpOnly; SameSite=Lax';
  expect([deviceCookieHeader('x', false), deviceCookieHeader('x', true)]).toEqual([
    cookie,
    `${cookie}; Secure`,
  ]);
});

test('device cookie: is removed with the attributes that it was sent with', () => {
  const removal = 'tessera_device=; Path=/api/otp; Max-Age=0; HttpOnly; SameSite=Lax';
  expect([deviceCookieHeader('', false), deviceCookieHeader('', true)]).toEqual([
    removal,
    `${removal}; Secure`,
  ]);
});

test('device cookie: the page uses TLS if its request or PUBLIC_URL does', () => {
  const http = { protocol: 'http' };
  expect(isSecure({ protocol: 'https' }, 'http://cards.example')).toBe(true);
  expect(isSecure(http, 'https://cards.example')).toBe(true);
  expect(
    [null, undefined, 'http://cards.example/https:'].map((url) => isSecure(http, url)),
  ).toEqual([false, false, false]);
});
