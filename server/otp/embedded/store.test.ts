import { createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { isSameHmac, codeHmac } from './store.ts';

const SECRET = 'a secret';
const CHALLENGE = { id: 'challenge', phone: '+919876543210' };
const SEAL = codeHmac(SECRET, CHALLENGE, '123456');

test('a code is kept as an HMAC-SHA256 of challenge, phone and code', () => {
  const expected = createHmac('sha256', SECRET)
    .update('challenge\n+919876543210\n123456')
    .digest('hex');
  expect(SEAL).toBe(expected);
});

test('only the same secret, challenge, phone and code fit a seal', () => {
  const others = [
    codeHmac('another secret', CHALLENGE, '123456'),
    codeHmac(SECRET, { ...CHALLENGE, id: 'another' }, '123456'),
    codeHmac(SECRET, { ...CHALLENGE, phone: '+919876543211' }, '123456'),
    codeHmac(SECRET, CHALLENGE, '123457'),
    '',
  ];
  expect(others.map((other) => isSameHmac(other, SEAL))).toEqual(others.map(() => false));
  expect(isSameHmac(codeHmac(SECRET, CHALLENGE, '123456'), SEAL)).toBe(true);
});
