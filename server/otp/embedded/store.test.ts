import { createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { isSameHmac, codeHmac } from './store.ts';

const SECRET = 'a secret';
const CHALLENGE = { id: 'challenge', phone: '+919876543210' };
const HMAC = codeHmac(SECRET, CHALLENGE, '123456');

test('code HMAC: HMAC-SHA256 of challenge, phone and code', () => {
  const expected = createHmac('sha256', SECRET)
    .update('challenge\n+919876543210\n123456')
    .digest('hex');
  expect(HMAC).toBe(expected);
});

test('code HMAC: differs for another secret, challenge, phone or code', () => {
  const others = [
    codeHmac('another secret', CHALLENGE, '123456'),
    codeHmac(SECRET, { ...CHALLENGE, id: 'another' }, '123456'),
    codeHmac(SECRET, { ...CHALLENGE, phone: '+919876543211' }, '123456'),
    codeHmac(SECRET, CHALLENGE, '123457'),
    '',
  ];
  expect(others.map((other) => isSameHmac(other, HMAC))).toEqual(others.map(() => false));
  expect(isSameHmac(codeHmac(SECRET, CHALLENGE, '123456'), HMAC)).toBe(true);
});
