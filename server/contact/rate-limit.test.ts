import { expect, test } from 'vitest';

import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';

import { DeniedKeys, contactRateLimits } from './rate-limit.ts';

const LEAD = { name: 'Ravi', mobile: '98765', email: 'ravi@example.com', companyName: 'Kaveri' };
const LIMITS = { contactsPerHour: 300, contactsPerCard: 30 };

test('contact limits: are those of docs/security.md#limits', () => {
  const { limits, card, duplicate } = contactRateLimits(
    { addressKey: '203.0.113.7', userId: 'u1', lead: LEAD },
    LIMITS,
  );
  expect([...limits, card]).toEqual([
    { key: 'contact:address:203.0.113.7', max: 300, windowMs: 60 * MINUTE_MS },
    { key: 'contact:address:203.0.113.7:u1', max: 30, windowMs: 10 * MINUTE_MS },
    { key: 'contact:card:u1', max: 500, windowMs: DAY_MS },
  ]);
  expect(duplicate).toEqual({
    key: expect.stringMatching(/^contact:same:[\w-]{43}$/),
    max: 1,
    windowMs: 10 * MINUTE_MS,
  });
});

test('contact limits: only the same lead on the same card is the same contact', () => {
  const keyOf = (userId: string, lead: typeof LEAD, addressKey = '203.0.113.7') =>
    contactRateLimits({ addressKey, userId, lead }, LIMITS).duplicate.key;
  const others = Object.keys(LEAD).map((field) => keyOf('u1', { ...LEAD, [field]: 'x' }));
  const keys = [keyOf('u1', LEAD), keyOf('u2', LEAD), ...others];
  expect(new Set(keys).size).toBe(6);
  expect(keyOf('u1', LEAD, '203.0.113.8')).toBe(keys[0]);
});

test('denied keys: a key is denied from the first millisecond of its period to the last', () => {
  const denied = new DeniedKeys();
  denied.add('a', 1000, 3000);
  expect([1000, 2999].map((now) => denied.waitMs('a', now))).toEqual([2000, 1]);
  expect(denied.waitMs('b', 1000)).toBe(null);
});

test.each([
  ['has ended', 3000],
  ['has not begun, because the clock was set back', 999],
])('denied keys: a key whose period %s is forgotten', (_, now) => {
  const denied = new DeniedKeys();
  denied.add('a', 1000, 3000);
  expect(denied.waitMs('a', now)).toBe(null);
  expect(denied.waitMs('a', 1000)).toBe(null);
});
