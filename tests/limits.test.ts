import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { contactRateLimits } from '#server/feature/contact/rate-limit.ts';
import { HELD_MAX } from '#server/feature/contact/store.ts';
import { ADDRESS_LIMITS, OWNER_LIMITS } from '#server/http/limit/rate-limit.ts';
import { SUBSCRIPTIONS_PER_USER_MAX } from '#server/feature/notification/store.ts';
import { LIMIT_SETTINGS } from '#server/settings/operation-table.ts';
import { LIMITS } from '#server/adapter/otp/limits.ts';
import type { Limit } from '#server/adapter/otp/limits.ts';
import { readSettings } from '#server/settings/settings.ts';

import { markdownTable } from './support/markdown-table.ts';

const SECURITY = join(import.meta.dirname, '../docs/security.md');
const read = (path: string) => readFileSync(path, 'utf8');
const WINDOWS = new Map([
  [30 * SECOND_MS, '30 seconds'],
  [MINUTE_MS, 'a minute'],
  [10 * MINUTE_MS, '10 minutes'],
  [HOUR_MS, 'an hour'],
  [DAY_MS, 'a day'],
  [365 * DAY_MS, 'a year'],
]);

test('settings of limits: each sets its own, and is in docs/security.md#limits with its default', () => {
  const values = Object.keys(LIMIT_SETTINGS).map((name, index) => [name, `${index + 1}`]);
  const limits = { readsPerMinute: 1, invalidPerMinute: 2, contactsPerHour: 3, contactsPerCard: 4 };
  expect(readSettings(Object.fromEntries(values)).limits).toEqual({ ...limits, codesPerHour: 5 });
  for (const [name, { fallback }] of Object.entries(LIMIT_SETTINGS))
    expect(read(SECURITY)).toMatch(new RegExp(`^(?=.* ${fallback} ).*\`${name}\``, 'm'));
});

test('docs/security.md#limits-on-codes: its table is the one of the code', async () => {
  const rows = Object.entries<Limit>(LIMITS).map(([key, { scope, most, window, guards }]) => {
    const max = typeof most === 'function' ? most(readSettings({})) : most;
    return [`\`${key}\``, scope, max.toLocaleString('en'), WINDOWS.get(window) ?? '', guards];
  });
  const table = markdownTable([['counter', 'scope', 'most', 'in', 'guards'], ...rows]);
  const page = read(SECURITY);
  const updated = page.replace(/(?<=### Limits on codes\n\n)\|[^]*?(?=\n\n)/, () => table.trim());
  expect(updated).toContain(table);
  await expect(updated).toMatchFileSnapshot(SECURITY);
});

/** The number and the time, as docs/security.md#limits writes them. */
function written(max: number, windowMs: number): string {
  const window = WINDOWS.get(windowMs) ?? '';
  return `${max.toLocaleString('en')} ${/^\d/.test(window) ? 'in ' : ''}${window}`;
}

/** How the cells of docs/security.md#limits begin, with the default settings. */
function expectedLimits(): Readonly<Record<string, string>> {
  const { limits } = readSettings({});
  const lead = { name: '', mobile: '', email: '', companyName: '' };
  const address = { prefix64: '203.0.113.7', prefix48: null };
  const contact = { address, userId: 'one', lead, secret: 'x' };
  const { refused, held, duplicate } = contactRateLimits(contact, limits);
  const [ofAddress, ofNetwork, ofAddressToCard, ofCard] = [...refused, ...held].map(
    ({ max, windowMs }) => written(max, windowMs),
  );
  const rows = Object.entries({ ...OWNER_LIMITS, ...ADDRESS_LIMITS }).map(
    ([row, [max, windowMs]]) => [row, written(max, windowMs)] as const,
  );
  const { most: codes, window: codesWindowMs } = LIMITS['otp:send:address'];
  const reads = written(limits.readsPerMinute, MINUTE_MS);
  return {
    ...Object.fromEntries(rows),
    'reading cards and photos': reads,
    'visits that are counted': reads,
    'invalid bodies of open calls (400, 413)': written(limits.invalidPerMinute, MINUTE_MS),
    'contacts from one address': ofAddress ?? '',
    'contacts from one /48 (IPv4 /24) to a card': ofNetwork ?? '',
    'contacts from one address to one card': ofAddressToCard ?? '',
    'contacts to one card': ofCard ?? '',
    'the same contact to the same card': `stored once in ${WINDOWS.get(duplicate.windowMs)}`,
    'held contacts of one card': HELD_MAX.toLocaleString('en'),
    'browsers of an owner that are notified': `${SUBSCRIPTIONS_PER_USER_MAX}`,
    'one-time codes from one address': written(codes(readSettings({})), codesWindowMs),
  };
}

test.each(Object.entries(expectedLimits()))(
  'docs/security.md#limits: the row %j begins with %j',
  (row, limit) => {
    const rows = read(SECURITY)
      .split('\n')
      .map((line) => line.split(/ *\| */));
    const [, , cell = ''] = rows.find(([, what]) => what === row) ?? [];
    expect(`${cell} `).toMatch(new RegExp(`^${limit}[ ;,]`));
  },
);
