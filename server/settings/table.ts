import { LOGIN, TEXT_MESSAGES } from './login-table.ts';
import { OIDC } from './oidc-table.ts';
import { PAGES, WALLETS } from './page-table.ts';
import { LIMIT_SETTINGS, OPERATION, DATA, SERVER } from './service-table.ts';
import type { SettingTable, SettingValues } from './schema.ts';

/** The groups have the headings of docs/operate/settings.md. */
export const SETTING_GROUPS = {
  Server: SERVER,
  'Data and photos': DATA,
  Pages: PAGES,
  Wallets: WALLETS,
  Login: LOGIN,
  "A company's own login": OIDC,
  'Text messages': TEXT_MESSAGES,
  Limits: LIMIT_SETTINGS,
  Operation: OPERATION,
} satisfies Record<string, SettingTable>;

export const SETTINGS = {
  ...SERVER,
  ...DATA,
  ...PAGES,
  ...WALLETS,
  ...LOGIN,
  ...OIDC,
  ...TEXT_MESSAGES,
  ...LIMIT_SETTINGS,
  ...OPERATION,
};

export type Values = SettingValues<typeof SETTINGS>;
