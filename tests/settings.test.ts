import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { expect, test } from 'vitest';

import type { Setting, SettingTable } from '#server/settings/schema.ts';
import { SETTINGS as ALL_SETTINGS, SETTING_GROUPS } from '#server/settings/table.ts';

import { SETTING_EXAMPLES } from './support/setting-examples.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/operate/settings.md');
const EXAMPLE = join(ROOT, '.env.example');
const HEAD =
  '| setting | what it does | default | required with | example |\n| --- | --- | --- | --- | --- |\n';
const EXAMPLES: Readonly<Record<string, string | null>> = SETTING_EXAMPLES;
const UPDATE = 'npx vitest run tests/settings.test.ts --update';
const LINK = /\[([^\]]+)\]\(([^)]+)\)/g;
/** The tables are between the introduction and the first section of prose. */
const TABLES = /(?<=\n)## Server\n[^]*?(?=\n## The webhook)/;

/** Needs that are checked for settings together (server/settings/conflicts.ts). */
const ALSO_NEEDED: Readonly<Record<string, string>> = { SMS_GATEWAY: 'NODE_ENV=production' };

function describe([name, setting]: [string, Setting]) {
  const { fallback = '', defaultHelp, help, isSecret = false, service = [] } = setting;
  if (help.trim() === '') throw new Error(`${name} has no help.`);
  const needs = setting.fallback === undefined ? service.filter((one) => one !== name) : [];
  const also = ALSO_NEEDED[name];
  const required = (also === undefined ? needs : [also]).map((one) => `\`${one}\``).join(' or ');
  const standard = defaultHelp ?? (fallback === '' ? '' : `\`${fallback}\``);
  const example = EXAMPLES[name] ?? fallback;
  return { name, isSecret, help, required, fallback, standard, example };
}

const SETTINGS = Object.entries<SettingTable>(SETTING_GROUPS).map(
  ([title, table]) => [title, Object.entries(table).map(describe)] as const,
);

/** The first letter may be in a link. */
const sentence = (text: string) =>
  `${text.replace(/^\[?[a-z]/, (start) => start.toUpperCase())}${text.endsWith('.') ? '' : '.'}`;
const cell = (text: string) => text.replaceAll('|', String.raw`\|`);

const settingsTables = () =>
  SETTINGS.map(([title, group]) => {
    const rows = group.map(({ name, isSecret, help, required, standard, example }) => {
      const names = isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
      return `| ${[names, sentence(help), standard, required, `\`${example}\``].map(cell).join(' | ')} |\n`;
    });
    return `## ${title}\n\n${HEAD}${rows.join('')}`;
  }).join('\n');

/** Names the document of a link by its path from the root, because a comment is not Markdown. */
const asPlainText = (text: string) =>
  text.replace(LINK, (_, words: string, target: string) => {
    const document = target.startsWith('#') ? `settings.md${target}` : target;
    return `${words} (${posix.join('docs/operate', document)})`;
  });

function notesOf({ name, isSecret, required, standard }: ReturnType<typeof describe>): string {
  const notes = [
    standard === '' || standard === 'none' ? '' : `Default: ${standard.replace(/^none: /, '')}.`,
    required === '' ? '' : `Required with ${required}.`,
    isSecret ? `Or set \`${name}_FILE\` to a file that contains it.` : '',
  ];
  return notes.map((note) => (note === '' ? '' : ` ${note}`)).join('');
}

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
          `# ${asPlainText(sentence(entry.help))}${notesOf(entry)}\n# ${entry.name}=${entry.fallback}\n`,
      ),
    ]),
  ].join('\n');

test('docs/operate/settings.md, .env.example: have the descriptions of the settings', async () => {
  const updated = readFileSync(PAGE, 'utf8').replace(TABLES, settingsTables);
  expect(updated).toContain(settingsTables());
  const report = `Update: ${UPDATE}\n`;
  await expect(updated, report).toMatchFileSnapshot(PAGE);
  await expect(exampleFile(), report).toMatchFileSnapshot(EXAMPLE);
});

const PEM_OR_FILE = /^-----BEGIN/;

test.each(Object.entries<Setting>(ALL_SETTINGS))(
  'setting %s: its example is valid',
  (name, { schema }) => {
    const example = EXAMPLES[name];
    // The real certificates and keys are in server/feature/wallet's tests.
    if (typeof example === 'string' && !PEM_OR_FILE.test(example))
      expect(schema.safeParse(example).success).toBe(true);
  },
);
