/**
 * The name of everything that the product keeps in a browser, grouped by the kind of storage. The code uses
 * these names, and the privacy policy lists them. A name that ends with '-', '_', '/' or a space is the
 * prefix of several names.
 */
export const BROWSER_STORAGE = {
  localStorage: {
    id: '_id',
    sessionToken: 'sessionToken',
    marker: 'signedIn',
    contactsSeen: 'contactsSeen',
    lastTag: 'lastTag',
    event: 'event',
    homeScreen: 'homeScreen',
  },
  sessionStorage: {
    /** Written by React Router. */
    scrolling: 'react-router-scroll-positions',
    sentCode: 'otp-sent-code',
    ownerCode: 'otp-sent-code-',
    presentPhone: 'present-phone-token',
    interrupted: 'interrupted',
    /** The start of the URL to which a page sends its visit. */
    counted: '/profile/countVisit/',
    receipt: 'receipt ',
    reloaded: 'reloaded',
  },
  /** The entries of the IndexedDB database `keyval-store`. */
  database: { queries: 'queries', drafts: 'draft-', outbox: 'outbox-' },
  caches: { pages: 'pages', owner: 'owner' },
  cookies: {
    device: 'tessera_device',
    oidc: 'tessera_oidc',
    challenge: 'tessera_challenge',
    freshCode: 'tessera_fresh_code',
    passkeyOffer: 'tessera_passkey_offer',
    table: 'table_',
  },
} as const;

type Storages = typeof BROWSER_STORAGE;
export type StoredName = { [Place in keyof Storages]: keyof Storages[Place] }[keyof Storages];

/** The replies of the service that the entry `queries` contains. */
export const PERSISTED_REPLIES = [
  'card',
  'look',
  'address',
  'extras',
  'connections',
  'contacts',
] as const;
export type PersistedReply = (typeof PERSISTED_REPLIES)[number];

export const PERSISTED_DAYS = 7;
export const PERSISTED_CONNECTIONS_MAX = 10;
export const PERSISTED_CONTACTS_MAX = 100;
