import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { Setting, SettingTable } from '#server/settings/setting.ts';
import { SETTING_GROUPS } from '#server/settings/table.ts';

import { markdownTable } from './support/markdown-table.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/settings.md');
const EXAMPLE = join(ROOT, '.env.example');
const UPDATE = 'npx vitest run tests/settings.test.ts --update';
/** The tables are between the introduction and the first section of prose. */
const TABLES = /(?<=\n)## Server\n[^]*?(?=\n## The webhook)/;

/** A setting as it is documented. */
function describe([name, setting]: [string, Setting]) {
  const { fallback = '', defaultHelp, help, isSecret, service = [] } = setting;
  if (help.trim() === '') throw new Error(`${name} has no help.`);
  const needs = setting.fallback === undefined ? service.filter((one) => one !== name) : [];
  const neededWith = needs.map((one) => `\`${one}\``).join(' or ');
  return {
    name,
    help: help + (isSecret ? `; or \`${name}_FILE\`, a file with it` : ''),
    defaultText:
      (defaultHelp ?? (fallback === '' ? 'none' : `\`${fallback}\``)) +
      (neededWith && `; needed with ${neededWith}`),
    fallback,
  };
}

const SETTINGS = Object.entries<SettingTable>(SETTING_GROUPS).map(
  ([title, table]) => [title, Object.entries(table).map(describe)] as const,
);

const settingsTables = () =>
  SETTINGS.map(([title, group]) => {
    const rows = group.map((entry) => [`\`${entry.name}\``, entry.defaultText, entry.help]);
    return `## ${title}\n\n${markdownTable([['variable', 'default', 'what it does'], ...rows])}`;
  }).join('\n');

const exampleFile = () =>
  [
    '# Every setting, as docs/settings.md describes it. Copy this file to .env, remove the # before the',
    '# lines that you change, then: node --env-file=.env scripts/start.mjs',
    `# Generated from the descriptions of the settings: ${UPDATE}`,
    '',
    ...SETTINGS.flatMap(([title, group]) => [
      `## ${title}`,
      ...group.map(
        (entry) =>
          `# ${entry.help}\n# Default: ${entry.defaultText}\n# ${entry.name}=${entry.fallback}\n`,
      ),
    ]),
  ].join('\n');

test('docs/settings.md, .env.example: are the descriptions of the settings', async () => {
  const updated = readFileSync(PAGE, 'utf8').replace(TABLES, settingsTables);
  expect(updated).toContain(settingsTables());
  const report = `Update: ${UPDATE}\n`;
  await expect(updated, report).toMatchFileSnapshot(PAGE);
  await expect(exampleFile(), report).toMatchFileSnapshot(EXAMPLE);
});
