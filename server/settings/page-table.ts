import { X509Certificate, createPrivateKey } from 'node:crypto';

import * as z from 'zod/mini';

import { EXTRAS } from '#domain/extras.ts';
import { LOCKABLE_FIELDS } from '#domain/profile-field.ts';
import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { VIEWS } from '#domain/page.ts';

import { uniqueChoices } from './list-schema.ts';
import { baseUrl, choice, contact, email, line, pattern, pem, text, url } from './schema.ts';
import type { SettingTable } from './schema.ts';

const CONNECT_NOTICE_LENGTH_MAX = 300;
const DPDP_CONTACT_LENGTH_MAX = 200;
const PEM = /^-----BEGIN [A-Z ]+-----/;

const addition = (policy: string) => ({
  schema: text(),
  defaultHelp: 'none',
  help: `text at the end of the ${policy}, one paragraph for each line`,
});

export const PAGES = {
  PRODUCT_NAME: { schema: line(), fallback: 'Tessera', help: 'the name of your service' },
  APP_URL: {
    schema: url(),
    fallback: '/login',
    help: "where 'Create Your … Card' on a card leads",
  },
  SUPPORT_EMAIL: {
    schema: email(),
    fallback: 'support@example.com',
    help: 'the email that people write to. The policies, the login page, the menu, messages about codes, Account and the notice show it. Push services get it too',
  },
  ABUSE_EMAIL: {
    schema: email(),
    help: 'the email for reports of abuse on the policies',
  },
  SECURITY_CONTACT: {
    schema: contact(),
    defaultHelp: '`SUPPORT_EMAIL`',
    help: 'the email or https URL for reports of vulnerabilities in `/.well-known/security.txt`',
  },
  JURISDICTION_STATE: {
    schema: line(),
    fallback: 'Karnataka',
    help: 'the Indian state whose courts settle disputes, as the policies say',
  },
  TERMS_ADDITION: addition('terms and conditions'),
  PRIVACY_ADDITION: addition('privacy policy'),
  REFUND_ADDITION: addition('cancellation and refund policy'),
  SHIPPING_ADDITION: addition('shipping and delivery policy'),
  ICON_BASE_URL: {
    schema: baseUrl(),
    fallback: '/icons/',
    help: 'the base URL of the icons of networks: `{base}{network}.svg`, in lower case',
  },
  API_BASE_URL: {
    schema: baseUrl(),
    fallback: '/api',
    help: 'the base URL of the API, {api} in [the list of calls](../develop/product.md#calls)',
  },
  SERVER_BASE_URL: {
    schema: baseUrl(),
    fallback: '/api',
    help: 'the base URL of addContact and countVisit, {server} in [the list of calls](../develop/product.md#calls)',
  },
  CONTACT_FILE: {
    schema: choice(['basic', 'full']),
    fallback: 'basic',
    help: 'what the contact file has. `full` adds the photo, the card link, networks, About Me and what `CARD_EXTRAS` has',
  },
  CARD_TEXT: {
    schema: choice(['cut', 'whole']),
    fallback: 'cut',
    help: 'how a card shows a long company or email: `cut` after 20 characters, or `whole` with an ellipsis only if it does not fit',
  },
  VIEWS: {
    schema: setOf(VIEWS),
    fallback: '',
    help: 'the [views](../develop/product.md#views) that owners have: `contacts`, `analytics`, both or `all`. Without it they read Comming Soon',
  },
  CARD_EXTRAS: {
    schema: setOf(EXTRAS),
    fallback: '',
    help: '[what else owners can put on a card](../develop/product.md#more-on-your-card): some of `phone,email,links,upi,gstin,address`, or `all`',
  },
  LOCKED_FIELDS: {
    schema: setOf(LOCKABLE_FIELDS),
    fallback: '',
    help: `what [owners cannot change](../develop/product.md#set-by-the-operator): some of \`${LOCKABLE_FIELDS.join(',')}\`, or \`all\``,
  },
  BRAND_COLOUR: {
    schema: pattern(/^#[\da-f]{6}$/i, 'must be like #0B5FFF'),
    defaultHelp: 'none',
    help: 'the colour of cards whose owner has chosen none',
  },
  BRAND_LOGO: {
    schema: text(),
    defaultHelp: 'none',
    help: 'the path of a PNG, JPEG or WebP file, the logo of cards whose owner has added none',
  },
  LANGUAGES: {
    schema: z.pipe(
      uniqueChoices(['en', ...TRANSLATION_LANGUAGES]),
      z.transform((languages): readonly Language[] => {
        const translations = languages.filter((language) => language !== 'en');
        return translations.length === 0 ? [] : ['en', ...translations];
      }),
    ),
    fallback: '',
    help: 'the [languages](../develop/languages.md) besides English that visitors can read: `hi,ta,…` or `all`',
  },
  CONNECT_NOTICE: {
    schema: line(CONNECT_NOTICE_LENGTH_MAX).check(
      // Visitors would read another spelling, such as 'DPDP', as the sentence, in place of the notice of the law.
      z.refine(
        (value) => value === 'dpdp' || !/^dpdp$/i.test(value),
        'must be dpdp in small letters',
      ),
    ),
    defaultHelp: 'none',
    help: "what visitors read below the Connect form: a sentence of yours, or `dpdp` for the [notice and receipt](dpdp.md) of India's law",
  },
  DPDP_CONTACT: {
    schema: line(DPDP_CONTACT_LENGTH_MAX),
    service: ['CONNECT_NOTICE=dpdp'],
    help: 'whom visitors ask about their details, such as a name and an email',
  },
  VITALS_URL: {
    schema: url(),
    defaultHelp: 'none: nothing is sent',
    help: 'the URL to which browsers send web vitals',
  },
} satisfies SettingTable;

function setOf<const Choice extends string>(names: readonly Choice[]) {
  return z.pipe(
    uniqueChoices(names),
    z.transform((items): ReadonlySet<Choice> => new Set(items)),
  );
}

const APPLE = ['APPLE_PASS_TYPE_ID'];
const GOOGLE = ['GOOGLE_WALLET_ISSUER_ID'];
const certificate = (help: string) => ({
  schema: pem((value) => new X509Certificate(value), 'a certificate'),
  service: APPLE,
  help,
  isSecret: true,
});

export const WALLETS = {
  APPLE_PASS_TYPE_ID: {
    schema: pattern(/^pass\.[\w.-]{1,200}$/, 'must be like pass.com.example.card'),
    service: APPLE,
    defaultHelp: 'none: no passes for Apple Wallet',
    help: 'the pass type identifier of your account at Apple',
  },
  APPLE_PASS_TEAM_ID: {
    schema: pattern(/^[A-Z0-9]{10}$/, 'must be ten capital letters and digits'),
    service: APPLE,
    help: 'the team identifier',
  },
  APPLE_PASS_CERTIFICATE: certificate('the certificate of the pass type, PEM'),
  APPLE_PASS_KEY: {
    // The key may be encrypted, so it is opened only together with its passphrase (keyConflicts).
    schema: pattern(PEM, 'must be a private key in PEM format'),
    service: APPLE,
    help: 'its private key, PEM',
    isSecret: true,
  },
  APPLE_PASS_KEY_PASSPHRASE: {
    schema: text(),
    service: APPLE,
    fallback: '',
    help: 'the passphrase of an encrypted key',
    isSecret: true,
  },
  APPLE_PASS_WWDR: certificate("Apple's intermediate certificate (WWDR G4), PEM"),
  GOOGLE_WALLET_ISSUER_ID: {
    schema: pattern(/^\d{1,24}$/, 'must be digits'),
    service: GOOGLE,
    defaultHelp: 'none: no links to Google Wallet',
    help: 'the issuer id of your account at Google',
  },
  GOOGLE_WALLET_ACCOUNT: {
    schema: pattern(/^[\w.+-]+@[\w.-]+$/, "must be a service account's e-mail address"),
    service: GOOGLE,
    help: 'the email of the service account',
  },
  GOOGLE_WALLET_KEY: {
    schema: pem(createPrivateKey, 'a private key'),
    service: GOOGLE,
    help: 'its private key, PEM',
    isSecret: true,
  },
} satisfies SettingTable;
