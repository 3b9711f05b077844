import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { expect, test } from 'vitest';

import type { Setting, SettingTable } from '#server/settings/schema.ts';
import { SETTING_GROUPS } from '#server/settings/table.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/operate/settings.md');
const EXAMPLE = join(ROOT, '.env.example');
const UPDATE = 'npx vitest run tests/settings.test.ts --update';
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;
/** The lists are between the introduction and the first section of prose. */
const LISTS = /(?<=\n)## Server\n[^]*?(?=\n## The webhook)/;

function describe([name, setting]: [string, Setting]) {
  const { fallback = '', defaultHelp, help, isSecret = false, service = [] } = setting;
  if (help.trim() === '') throw new Error(`${name} has no help.`);
  const needs = setting.fallback === undefined ? service.filter((one) => one !== name) : [];
  const notes = [
    defaultHelp ?? (fallback === '' ? '' : `\`${fallback}\``),
    isSecret ? '`_FILE`' : '',
    needs.length > 0 ? `with ${needs.map((one) => `\`${one}\``).join(' or ')}` : '',
  ].filter((note) => note !== '' && note !== 'none');
  return { name, help, notes: notes.length > 0 ? ` (${notes.join('; ')})` : '', fallback };
}

const SETTINGS = Object.entries<SettingTable>(SETTING_GROUPS).map(
  ([title, table]) => [title, Object.entries(table).map(describe)] as const,
);

const settingsLists = () =>
  SETTINGS.map(([title, group]) => {
    const items = group.map(({ name, notes, help }) => `- \`${name}\`${notes}: ${help}\n`);
    return `## ${title}\n\n${items.join('')}`;
  }).join('\n');

/** Names the document of a link by its path from the root, because a comment is not Markdown. */
const asPlainText = (text: string) =>
  text.replace(LINK, (_, words: string, target: string) => {
    const path = target.startsWith('#') ? `settings.md${target}` : target;
    const document = posix.join('docs/operate', path);
    return words.endsWith('.md') ? document : `${words} (${document})`;
  });

const exampleFile = () =>
  [
    '# Every setting, as docs/operate/settings.md describes it. Copy this file to .env, remove the # before the',
    '# lines that you change, then: node --env-file=.env scripts/start.mjs',
    `# Generated from the descriptions of the settings: ${UPDATE}`,
    '',
    ...SETTINGS.flatMap(([title, group]) => [
      `## ${title}`,
      ...group.map(
        (entry) =>
          `# ${asPlainText(entry.help)}${entry.notes}\n# ${entry.name}=${entry.fallback}\n`,
      ),
    ]),
  ].join('\n');

test('docs/operate/settings.md, .env.example: are the descriptions of the settings', async () => {
  const updated = readFileSync(PAGE, 'utf8').replace(LISTS, settingsLists);
  expect(updated).toContain(settingsLists());
  const report = `Update: ${UPDATE}\n`;
  await expect(updated, report).toMatchFileSnapshot(PAGE);
  await expect(exampleFile(), report).toMatchFileSnapshot(EXAMPLE);
});
