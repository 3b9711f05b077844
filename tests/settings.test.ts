import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { THIRD_PARTIES } from '#server/otp/providers.ts';
import { BUCKET_KEYS } from '#server/storage/bucket-settings.ts';
import { GATEWAYS } from '#server/sms/gateways.ts';

const ROOT = join(import.meta.dirname, '..');

test('docs/settings.md has every setting that the service reads, and no other', () => {
  const source = readFileSync(join(ROOT, 'server/settings.ts'), 'utf8');
  const read = new Set([...source.matchAll(/'([A-Z][A-Z0-9_]+)'/g)].map(([, name]) => name));
  for (const name of Object.keys(BUCKET_KEYS)) read.add(name);
  read.delete('IN');
  for (const { keys } of [...Object.values(THIRD_PARTIES), ...Object.values(GATEWAYS)]) {
    for (const name of Object.keys(keys)) read.add(name);
  }
  const page = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const documented = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
  );
  expect(new Set(documented)).toEqual(read);
  expect(documented).toHaveLength(read.size);
});
