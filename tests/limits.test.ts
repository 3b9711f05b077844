import { join } from 'node:path';
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import {
  addedContactsLimit,
  broughtContactsLimit,
  contactRateLimits,
} from '#server/adapter/counter.ts';
import { ADDRESS_LIMITS, OWNER_LIMITS, RECEIPT_LIMITS, TABLE_LIMITS } from '#server/http/limit.ts';
import { LIMITS } from '#server/adapter/otp/limits.ts';
import type { Limit } from '#server/adapter/otp/limits.ts';
import { readSettings } from '#server/settings/settings.ts';

const SECURITY = join(import.meta.dirname, '../docs/develop/security.md');
const UPDATE = 'npx vitest run tests/limits.test.ts --update';
const WINDOWS = new Map([
  [30 * SECOND_MS, '30 seconds'],
  [MINUTE_MS, 'minute'],
  [10 * MINUTE_MS, '10 minutes'],
  [HOUR_MS, 'hour'],
  [DAY_MS, 'day'],
  [365 * DAY_MS, 'year'],
]);
const SETTINGS = readSettings({});

type Row = readonly [limit: string, scope: string, max: number, windowMs: number, protects: string];

const cellsOf = ([limit, scope, max, windowMs, protects]: Row) => [
  limit,
  scope,
  max.toLocaleString('en'),
  WINDOWS.get(windowMs) ?? `${windowMs} ms`,
  protects,
];

/** In the order in which `contactRateLimits` returns them. */
const CONTACT_ROWS = [
  ['contacts (`LIMIT_CONTACTS_PER_HOUR`)', 'address', 'cards'],
  ['contacts, 1.5 times as many', 'network/card', 'card'],
  ['contacts, then held (`LIMIT_CONTACTS_PER_CARD`)', 'address/card', 'list'],
  ['contacts, then held', 'card', 'list'],
  ['the same contact, then not stored', 'card', 'list'],
] as const;

const CODE_SETTINGS = new Map([
  ['otp:send:address', 'LIMIT_CODES_PER_HOUR'],
  ['otp:send', 'OTP_SENDS_PER_DAY'],
]);

function limitRows(): Row[] {
  const { limitReadsPerMinute: readsPerMinute, limitInvalidPerMinute: invalidPerMinute } = SETTINGS;
  const lead = { name: '', mobile: '', email: '', companyName: '' };
  const address = { prefix64: '203.0.113.7', prefix48: null };
  const sending = { address, userId: 'one', lead, secret: 'x' };
  const contact = contactRateLimits(sending, SETTINGS);
  const contactLimits = [...contact.refused, ...contact.held, contact.duplicate];
  const ofScope = (
    scope: string,
    records: Readonly<Record<string, readonly [number, number, string]>>,
  ) => Object.entries(records).map(([name, [max, ms]]): Row => [name, scope, max, ms, 'node']);
  const added = addedContactsLimit('one');
  const brought = broughtContactsLimit('one');
  return [
    ['cards and photos (`LIMIT_READS_PER_MINUTE`)', 'address', readsPerMinute, MINUTE_MS, 'node'],
    ['counted visits (`LIMIT_READS_PER_MINUTE`)', 'address', readsPerMinute, MINUTE_MS, 'counts'],
    [
      'larger invalid bodies (`LIMIT_INVALID_PER_MINUTE`)',
      'address',
      invalidPerMinute,
      MINUTE_MS,
      'node',
    ],
    ...ofScope('address', ADDRESS_LIMITS),
    ...ofScope('receipt', RECEIPT_LIMITS),
    ...ofScope('table', TABLE_LIMITS),
    ...ofScope('owner', OWNER_LIMITS),
    ...CONTACT_ROWS.map(([name, scope, protects], index): Row => {
      const { max = 0, windowMs = 0 } = contactLimits[index] ?? {};
      return [name, scope, max, windowMs, protects];
    }),
    ['contacts that the owner adds', 'owner', added.max, added.windowMs, 'list'],
    ['contacts of archives', 'owner', brought.max, brought.windowMs, 'list'],
    ...Object.entries<Limit>(LIMITS).map(([key, { scope, max, window, protects }]): Row => {
      const setting = CODE_SETTINGS.get(key);
      const name = setting ? `\`${key}\` (\`${setting}\`)` : `\`${key}\``;
      return [name, scope, typeof max === 'function' ? max(SETTINGS) : max, window, protects];
    }),
  ];
}

/** Pads the cells, as the formatter does. */
function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
}

test('docs/develop/security.md#limits: its table is the limits of the code', async () => {
  const head = ['limit', 'scope', 'most', 'in', 'guards'];
  const table = markdownTable([head, ...limitRows().map(cellsOf)]);
  const page = readFileSync(SECURITY, 'utf8');
  const updated = page.replace(/(?<=\n## Limits\n[^|]*)\|[^]*?\n(?=\n)/, () => table);
  expect(updated).toContain(table);
  await expect(updated, `Update: ${UPDATE}\n`).toMatchFileSnapshot(SECURITY);
});
