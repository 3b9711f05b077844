import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { LIMIT_SETTINGS, OWN_SETTINGS } from '#server/settings/setting-groups.ts';

import {
  describedSettings,
  entries,
  exampleFile,
  settingsTables,
  undocumented,
  UPDATE,
} from './support/settings-docs.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/settings.md');
const EXAMPLE = join(ROOT, '.env.example');
/** The tables are between the introduction and the first section of prose. */
const TABLES = /(?<=\n)## Server\n[^]*?(?=\n## The webhook)/;

const settings = describedSettings();

test('setting groups: contain every setting that is read', () => {
  const names = Object.values(settings).flatMap((group) => group.map(({ name }) => name));
  expect(Object.keys(OWN_SETTINGS).filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('docs/settings.md, .env.example: are the descriptions of the settings', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const updated = page.replace(TABLES, () => settingsTables(settings));
  expect(updated).toContain(settingsTables(settings));
  const example = readFileSync(EXAMPLE, 'utf8');
  const missing = [...undocumented(settings, page), ...undocumented(settings, example)];
  const report = `Not documented: ${missing.join(', ') || 'none'}. Update: ${UPDATE}\n`;
  await expect(updated, report).toMatchFileSnapshot(PAGE);
  await expect(exampleFile(settings), report).toMatchFileSnapshot(EXAMPLE);
});

test('docs/security.md#limits: has every setting of a limit with its default', () => {
  const rows = readFileSync(join(ROOT, 'docs/security.md'), 'utf8').split('\n');
  const missing = Object.entries(LIMIT_SETTINGS).filter(
    ([name, { fallback }]) =>
      !rows.some((row) => row.includes(`\`${name}\``) && row.includes(` ${fallback} `)),
  );
  expect(missing).toEqual([]);
});

test('documentation of settings: finds a deliberate setting without a description', () => {
  const undescribed = { name: 'EXAMPLE_KEY', fallback: '', defaultHelp: 'none', neededWith: [] };
  const group = (help: string) => ({ Control: [{ ...undescribed, help }] });
  for (const text of [settingsTables(settings), exampleFile(settings)]) {
    expect(undocumented(settings, text)).toEqual([]);
    expect(undocumented(group('an example'), text)).toEqual(['EXAMPLE_KEY']);
    expect(undocumented(group(' '), `${text}EXAMPLE_KEY`)).toEqual(['EXAMPLE_KEY']);
  }
  const secret = { METRICS_TOKEN: { ...OWN_SETTINGS.METRICS_TOKEN, help: '' } };
  expect(undocumented({ Control: entries(secret) }, 'METRICS_TOKEN')).toEqual(['METRICS_TOKEN']);
});
