import { EXTRAS } from '#domain/extras.ts';
import { TRANSLATIONS } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { VIEWS } from '#domain/view.ts';

import { choices } from '#server/environment/list-schema.ts';
import { baseUrl, choice, contact, email, line, text, url } from '#server/environment/schema.ts';
import type { SettingTable, SettingValues } from '#server/environment/setting.ts';

const CONNECT_NOTICE_LENGTH_MAX = 300;

const SUPPORT_EMAIL = 'support@example.com';

const addition = (policy: string) => ({
  schema: text(),
  defaultHelp: 'none',
  help: `the operator's own text at the end of the ${policy}, one paragraph for each line`,
});

export const PAGE_SETTINGS = {
  PRODUCT_NAME: { schema: line(), fallback: 'Tessera', help: "the product's name" },
  APP_URL: { schema: url(), fallback: '/login', help: "the target of 'Create Your … Card'" },
  SUPPORT_EMAIL: {
    schema: email(),
    fallback: SUPPORT_EMAIL,
    help: 'the address on the policy pages',
  },
  ABUSE_EMAIL: {
    schema: email(),
    help: 'the address for reports of abuse, at the foot of the policy pages',
  },
  SECURITY_CONTACT: {
    schema: contact(),
    fallback: (environment) => environment.SUPPORT_EMAIL?.trim() || SUPPORT_EMAIL,
    defaultHelp: '`SUPPORT_EMAIL`',
    help: 'who receives reports of vulnerabilities: an e-mail address or an https address, in `/.well-known/security.txt`',
  },
  JURISDICTION_STATE: {
    schema: line(),
    fallback: 'Karnataka',
    help: 'the Indian state whose courts settle disputes',
  },
  TERMS_ADDITION: addition('terms and conditions'),
  PRIVACY_ADDITION: addition('privacy policy'),
  REFUND_ADDITION: addition('cancellation and refund policy'),
  SHIPPING_ADDITION: addition('shipping and delivery policy'),
  ICON_BASE_URL: {
    schema: baseUrl(),
    fallback: '/icons/',
    help: "the base of network icons: `{base}{network}.svg` in lower case; the default renders the product's own inline",
  },
  API_BASE_URL: {
    schema: baseUrl(),
    fallback: '/api',
    help: 'the base of the calls, {api} in [product.md](product.md#calls)',
  },
  SERVER_BASE_URL: {
    schema: baseUrl(),
    fallback: '/api',
    help: 'the base of addContact, {server} in [product.md](product.md#calls)',
  },
  CONTACT_FILE: {
    schema: choice(['basic', 'full']),
    fallback: 'basic',
    help: '`full` adds to the contact file that a visitor saves: the photo, the address of the card, its networks and About Me',
  },
  VIEWS: {
    schema: choices(VIEWS),
    fallback: '',
    help: '`contacts`, `analytics` or both, separated by a comma: the views that replace their placeholder, see [product.md](product.md#views)',
  },
  CARD_EXTRAS: {
    schema: choices(EXTRAS),
    fallback: '',
    help: 'some of `upi`, `gstin` and `address`, separated by commas: what owners can add to their card, see [product.md](product.md#more-on-your-card)',
  },
  LANGUAGES: {
    schema: choices(['en', ...TRANSLATIONS]),
    fallback: '',
    help: '`hi,ta,…`: the languages besides English of the public card and the login page, see [languages.md](languages.md)',
  },
  CONNECT_NOTICE: {
    schema: line(CONNECT_NOTICE_LENGTH_MAX),
    defaultHelp: 'none',
    help: "one sentence below the Connect form about what happens with a visitor's details; its version is stored with each contact",
  },
  VITALS_URL: {
    schema: url(),
    defaultHelp: 'none: nothing is sent',
    help: 'the address that the browser sends web vitals to',
  },
} satisfies SettingTable;

type PageValues = SettingValues<Pick<typeof PAGE_SETTINGS, 'APP_URL' | 'LANGUAGES'>>;

export function pageLanguages({ LANGUAGES }: PageValues): readonly Language[] {
  const translations = [...LANGUAGES].filter((language) => language !== 'en');
  return translations.length === 0 ? [] : ['en', ...translations];
}

/** Of an address of this service its path, which keeps the visitor's language. */
export function readAppUrl({ APP_URL, LANGUAGES }: PageValues, publicUrl: string | null): string {
  const isOwn = LANGUAGES.size > 0 && publicUrl !== null && APP_URL.startsWith(`${publicUrl}/`);
  return isOwn ? APP_URL.slice(publicUrl.length) : APP_URL;
}
