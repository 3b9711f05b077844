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
  for (const value of values)
    expect(readDeviceId(`tessera_device=${value}`, OWNER)).toBe(value.slice(0, 43));
});

test.each([
  [`tessera_device=${VALUE}`, ID],
  [` tessera_device=${VALUE} `, ID],
  [`a=b; tessera_device=${VALUE};c=d`, ID],
  [`tessera_device=broken; tessera_device=${VALUE}`, ID],
  [undefined, null],
  ['', null],
  [VALUE, null],
  [`xtessera_device=${VALUE}`, null],
  [`another_device=${VALUE}`, null],
  [`tessera_device=x${VALUE}`, null],
  [`tessera_device=${VALUE}0`, null],
  [`tessera_device=${VALUE.slice(0, -1)}`, null],
  [`tessera_device=${ID}.${'0'.repeat(64)}`, null],
  [`tessera_device=${'x'.repeat(43)}${VALUE.slice(43)}`, null],
])('device cookie: the header %j has the device %j', (header, id) => {
  expect(readDeviceId(header, OWNER)).toBe(id);
});

test('device cookie: is valid for one phone and one secret', () => {
  const header = `tessera_device=${VALUE}`;
  expect(readDeviceId(header, { ...OWNER, phone: '+919876543211' })).toBe(null);
  expect(readDeviceId(header, { ...OWNER, secret: 'another secret' })).toBe(null);
});

test.each([
  ['x', 'tessera_device=x; Path=/api/otp; Max-Age=31536000; HttpOnly; SameSite=Lax'],
  ['', 'tessera_device=; Path=/api/otp; Max-Age=0; HttpOnly; SameSite=Lax'],
])(
  'device cookie: %j is sent to the code endpoints or removed, only over TLS if the page uses it',
  (value, cookie) => {
    expect(deviceCookieHeader(value, false)).toBe(cookie);
    expect(deviceCookieHeader(value, true)).toBe(`${cookie}; Secure`);
  },
);

test('device cookie: the page uses TLS if its request or PUBLIC_URL does', () => {
  expect(isSecure({ protocol: 'https' }, 'http://cards.example')).toBe(true);
  const urls = ['https://cards.example', null, undefined, 'http://cards.example/https:'];
  const secure = urls.map((url) => isSecure({ protocol: 'http' }, url));
  expect(secure).toEqual([true, false, false, false]);
});
