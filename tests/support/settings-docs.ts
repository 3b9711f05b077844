import type { ServiceSettingTable, Setting, SettingTable } from '#server/environment/setting.ts';
import type { ProviderEntry } from '#server/otp/provider.ts';
import { THIRD_PARTIES } from '#server/otp/providers.ts';
import { CDN_SETTINGS } from '#server/cdn/settings.ts';
import { SETTING_GROUPS } from '#server/settings/setting-groups.ts';
import type { GatewayEntry } from '#server/sms/gateway.ts';
import { GATEWAYS } from '#server/sms/gateways.ts';
import { BUCKET_SETTINGS } from '#server/storage/bucket-settings.ts';
import { APPLE_PASS_SETTINGS, GOOGLE_WALLET_SETTINGS } from '#server/settings/wallet-settings.ts';

export const UPDATE = 'npx vitest run tests/settings.test.ts --update';

export interface SettingEntry {
  readonly name: string;
  readonly help: string;
  readonly defaultHelp: string;
  /** The text of the default; '' if there is none or it depends on others. */
  readonly fallback: string;
  /** The settings that make this one required, for example `SMS_GATEWAY=twilio`. */
  readonly neededWith: readonly string[];
}

export type SettingEntries = Readonly<Record<string, readonly SettingEntry[]>>;

/** Returns every setting of the descriptions by the headings of the documentation. */
export function describedSettings(): SettingEntries {
  const keysOf = (table: Record<string, ProviderEntry | GatewayEntry>, setting: string) =>
    Object.entries(table).flatMap(([name, { description }]) =>
      requiredEntries(description.keys, `${setting}=${name}`),
    );
  const further: Record<string, readonly SettingEntry[]> = {
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
  const merge = (entry: SettingEntry) => {
    const same = all.filter(({ name }) => name === entry.name);
    if (same.some(({ help }) => help !== entry.help))
      throw new Error(`${entry.name} has two different helps.`);
    return { ...same.at(-1), ...entry, neededWith: same.flatMap(({ neededWith }) => neededWith) };
  };
  // A variable of two services is documented once, where it appears first.
  const isFirst = ({ name }: SettingEntry) => !documented.has(name) && documented.add(name);
  return Object.fromEntries(groups.map(([title, one]) => [title, one.filter(isFirst).map(merge)]));
}

export function entries(table: SettingTable): SettingEntry[] {
  return Object.entries(table).map(([name, setting]) => describe(name, setting, []));
}

function requiredEntries(table: ServiceSettingTable, neededWith: string): SettingEntry[] {
  return Object.entries(table).map(([name, setting]) => {
    const isRequired = setting.fallback === undefined && name !== neededWith;
    return describe(name, setting, isRequired ? [neededWith] : []);
  });
}

function describe(name: string, setting: Setting, neededWith: readonly string[]): SettingEntry {
  const fallback = typeof setting.fallback === 'string' ? setting.fallback : '';
  const defaultHelp = setting.defaultHelp ?? (fallback === '' ? 'none' : `\`${fallback}\``);
  const isDescribed = setting.help.trim() !== '';
  const help =
    setting.isSecret && isDescribed
      ? `${setting.help}; or \`${name}_FILE\`, a file with it`
      : setting.help;
  return { name, help, defaultHelp, fallback, neededWith };
}

export function settingsTables(settings: SettingEntries): string {
  const sections = Object.entries(settings).map(([title, group]) => {
    const rows = group.map(({ name, help, defaultHelp, neededWith }) => [
      `\`${name}\``,
      neededWith.length === 0 ? defaultHelp : `${defaultHelp}; needed with ${listed(neededWith)}`,
      help,
    ]);
    return `## ${title}\n\n${markdownTable([['variable', 'default', 'what it does'], ...rows])}`;
  });
  return sections.join('\n');
}

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' or ');

/** Pads the cells, as the formatter does. */
export function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('');
}

export function exampleFile(settings: SettingEntries): string {
  const groups = Object.entries(settings).map(([title, group]) =>
    [
      `## ${title}`,
      ...group.map(
        ({ name, help, defaultHelp, fallback, neededWith }) =>
          `# ${help}\n# Default: ${defaultHelp}${neededWith.length === 0 ? '' : `; needed with ${listed(neededWith)}`}\n# ${name}=${fallback}\n`,
      ),
    ].join('\n'),
  );
  return [
    '# Every setting, as docs/settings.md describes it. Copy this file to .env, remove the # before the',
    '# lines that you change, then: node --env-file=.env scripts/start.mjs',
    `# Generated from the descriptions of the settings: ${UPDATE}`,
    '',
    ...groups,
  ].join('\n');
}

export function undocumented(settings: SettingEntries, text: string): string[] {
  return Object.values(settings)
    .flat()
    .filter(({ name, help }) => help.trim() === '' || !new RegExp(`\\b${name}\\b`).test(text))
    .map(({ name }) => name);
}
