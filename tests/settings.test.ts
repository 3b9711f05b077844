import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { CDN_SETTINGS } from '#server/adapter/cdn/settings.ts';
import type { ServiceSettingTable, Setting, SettingTable } from '#server/environment/setting.ts';
import type { ProviderEntry } from '#server/adapter/otp/provider.ts';
import { THIRD_PARTIES } from '#server/adapter/otp/providers.ts';
import { OWN_SETTINGS, SETTING_GROUPS } from '#server/settings/setting-groups.ts';
import { APPLE_PASS_SETTINGS, GOOGLE_WALLET_SETTINGS } from '#server/settings/wallet-settings.ts';
import type { GatewayEntry } from '#server/adapter/sms/gateway.ts';
import { GATEWAYS } from '#server/adapter/sms/gateways.ts';
import { BUCKET_SETTINGS } from '#server/adapter/storage/bucket-settings.ts';

import { markdownTable } from './support/markdown-table.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs/settings.md');
const EXAMPLE = join(ROOT, '.env.example');
const UPDATE = 'npx vitest run tests/settings.test.ts --update';
/** The tables are between the introduction and the first section of prose. */
const TABLES = /(?<=\n)## Server\n[^]*?(?=\n## The webhook)/;

/** A setting as it is documented. */
function describe(name: string, setting: Setting, neededWith: readonly string[] = []) {
  // '' if there is none or it depends on others.
  const fallback = typeof setting.fallback === 'string' ? setting.fallback : '';
  const defaultHelp = setting.defaultHelp ?? (fallback === '' ? 'none' : `\`${fallback}\``);
  if (setting.help.trim() === '') throw new Error(`${name} has no help.`);
  const help = setting.help + (setting.isSecret ? `; or \`${name}_FILE\`, a file with it` : '');
  return { name, help, defaultHelp, fallback, neededWith };
}
type Entry = ReturnType<typeof describe>;

const entries = (table: SettingTable) =>
  Object.entries(table).map(([name, setting]) => describe(name, setting));

/** Those of a table that are required with one of them, or with `SMS_GATEWAY=twilio`. */
const requiredEntries = (table: ServiceSettingTable, neededWith: string) =>
  Object.entries(table).map(([name, setting]) => {
    const isRequired = setting.fallback === undefined && name !== neededWith;
    return describe(name, setting, isRequired ? [neededWith] : []);
  });

/** Every setting by the headings of the documentation. */
function describedSettings(): [title: string, group: Entry[]][] {
  const keysOf = (table: Record<string, ProviderEntry | GatewayEntry>, setting: string) =>
    Object.entries(table).flatMap(([name, { description }]) =>
      requiredEntries(description.keys, `${setting}=${name}`),
    );
  const further: Record<string, readonly Entry[]> = {
    'Data and photos': requiredEntries(BUCKET_SETTINGS, 'S3_BUCKET'),
    Operation: requiredEntries(CDN_SETTINGS, 'CDN_PURGE_URL'),
    Wallets: [
      ...requiredEntries(APPLE_PASS_SETTINGS, 'APPLE_PASS_TYPE_ID'),
      ...requiredEntries(GOOGLE_WALLET_SETTINGS, 'GOOGLE_WALLET_ISSUER_ID'),
    ],
    Login: keysOf(THIRD_PARTIES, 'OTP_PROVIDER'),
    'Text messages': keysOf(GATEWAYS, 'SMS_GATEWAY'),
  };
  const groups = Object.entries<SettingTable>(SETTING_GROUPS).map(
    ([title, table]) => [title, [...entries(table), ...(further[title] ?? [])]] as const,
  );
  const all = groups.flatMap(([, group]) => group);
  const documented = new Set<string>();
  const merge = (entry: Entry) => {
    const same = all.filter(({ name }) => name === entry.name);
    if (same.some(({ help }) => help !== entry.help))
      throw new Error(`${entry.name} has two different helps.`);
    return { ...same.at(-1), ...entry, neededWith: same.flatMap(({ neededWith }) => neededWith) };
  };
  // A variable of two services is documented once, where it appears first.
  const isFirst = ({ name }: Entry) => !documented.has(name) && documented.add(name);
  return groups.map(([title, group]) => [title, group.filter(isFirst).map(merge)]);
}

const SETTINGS = describedSettings();

function defaultOf({ defaultHelp, neededWith }: Entry): string {
  const needs = neededWith.map((name) => `\`${name}\``).join(' or ');
  return needs === '' ? defaultHelp : `${defaultHelp}; needed with ${needs}`;
}

const settingsTables = () =>
  SETTINGS.map(([title, group]) => {
    const rows = group.map((entry) => [`\`${entry.name}\``, defaultOf(entry), entry.help]);
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
          `# ${entry.help}\n# Default: ${defaultOf(entry)}\n# ${entry.name}=${entry.fallback}\n`,
      ),
    ]),
  ].join('\n');

test('setting groups: contain every setting that is read', () => {
  const names = SETTINGS.flatMap(([, group]) => group.map(({ name }) => name));
  expect(Object.keys(OWN_SETTINGS).filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('docs/settings.md, .env.example: are the descriptions of the settings', async () => {
  const updated = readFileSync(PAGE, 'utf8').replace(TABLES, settingsTables);
  expect(updated).toContain(settingsTables());
  const report = `Update: ${UPDATE}\n`;
  await expect(updated, report).toMatchFileSnapshot(PAGE);
  await expect(exampleFile(), report).toMatchFileSnapshot(EXAMPLE);
});
