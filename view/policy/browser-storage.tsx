import {
  BROWSER_STORAGE,
  PERSISTED_CONNECTIONS_MAX,
  PERSISTED_CONTACTS_MAX,
} from '#domain/browser-storage.ts';
import { PERSISTED_DAYS, PERSISTED_REPLIES } from '#domain/browser-storage.ts';
import type { PersistedReply, StoredName } from '#domain/browser-storage.ts';

import type { PolicySection, PolicySettings } from './policy.tsx';

interface StoredText {
  readonly text: string;
  /** By default, the text always appears. */
  readonly isShown?: (settings: PolicySettings) => boolean;
}

const withContacts = ({ hasContactsView }: PolicySettings) => hasContactsView;
const DETAILS = 'their names, companies, emails and phones';

const REPLY_TEXTS: Readonly<Record<PersistedReply, StoredText>> = {
  card: { text: 'your card' },
  look: { text: 'its look' },
  address: { text: 'its link' },
  extras: { text: 'its other details', isShown: ({ cardExtras }) => cardExtras.size > 0 },
  connections: {
    text: `the newest ${PERSISTED_CONNECTIONS_MAX} visitors who left their details, or all who are new, with ${DETAILS}`,
  },
  contacts: {
    text: `your newest ${PERSISTED_CONTACTS_MAX} contacts, with ${DETAILS}, your notes, tags and reminders, and your templates`,
    isShown: withContacts,
  },
};

const VISITOR_TEXTS = {
  counted: { text: 'what was counted in it', isShown: ({ countsVisits }) => countsVisits },
  receipt: {
    text: 'the link to the details you left',
    isShown: ({ hasReceipts }) => hasReceipts,
  },
} satisfies Partial<Record<StoredName, StoredText>>;

type OwnerName = Exclude<StoredName, keyof typeof VISITOR_TEXTS | 'queries'>;

const OWNER_TEXTS: Readonly<Record<OwnerName, StoredText>> = {
  id: { text: 'Your id.' },
  sessionToken: { text: 'A session token, which keeps you signed in.' },
  marker: { text: "A marker that shows you're signed in." },
  contactsSeen: { text: "The time of the newest contact you've seen." },
  lastTag: { text: 'The last tag you added to a contact.', isShown: withContacts },
  event: {
    text: 'The event you entered for the contacts you add.',
    isShown: withContacts,
  },
  homeScreen: { text: 'Whether you shared your card, and were offered the home screen.' },
  table: { text: 'A key to each table you joined, until the table ends.' },
  drafts: { text: "What you typed and haven't saved yet." },
  outbox: {
    text: "Contacts you added that haven't been sent yet.",
    isShown: withContacts,
  },
  pages: { text: 'The pages themselves, so that they open without a network.' },
  owner: { text: 'Your photo, and a contact file you share with the installed app.' },
  scrolling: { text: 'How far you have scrolled, in the open tab.' },
  sentCode: { text: 'The phone number that a code was sent to, in the open tab.' },
  ownerCode: { text: 'A note that a code was sent to confirm a change, in the open tab.' },
  presentPhone: {
    text: 'Proof of your current phone number while you change it, in the open tab.',
  },
  interrupted: {
    text: "What you were confirming when you went to your company's sign-in, in the open tab.",
    isShown: ({ hasCompanyLogin }) => hasCompanyLogin,
  },
  oidc: {
    text: "One cookie for twenty minutes while you sign in at your company's page.",
    isShown: ({ hasCompanyLogin }) => hasCompanyLogin,
  },
  reloaded: {
    text: 'A note that a page was loaded again because a part of it was missing, in the open tab.',
  },
  device: {
    text: 'One cookie after you sign in with a code that this service sends. It shows that this browser has used the number before. It holds no phone number and signs nobody in.',
  },
  challenge: {
    text: 'One cookie for five minutes on the sign-in page, and while you add or use a passkey.',
  },
  freshCode: {
    text: "One cookie for ten minutes after you sign in with a code, or for the first time at your company's login. While it lasts, you can add a passkey.",
  },
  passkeyOffer: { text: 'One cookie that keeps whether you were offered a passkey.' },
};

const NAMES = Object.values(BROWSER_STORAGE).flatMap((names) => Object.keys(names));
const isIn =
  <Texts extends object>(texts: Texts) =>
  (name: string): name is keyof Texts & string =>
    name in texts;
const OWNER_NAMES = NAMES.filter(isIn(OWNER_TEXTS));
const VISITOR_NAMES = NAMES.filter(isIn(VISITOR_TEXTS));

function textsOf<Name extends string>(
  names: readonly Name[],
  texts: Readonly<Record<Name, StoredText>>,
  settings: PolicySettings,
): readonly string[] {
  return names.flatMap((name) => {
    const { text, isShown = () => true } = texts[name];
    return isShown(settings) ? [text] : [];
  });
}

function visitorText(settings: PolicySettings): string {
  const stored = textsOf(VISITOR_NAMES, VISITOR_TEXTS, settings).join(' and ');
  const tab = stored === '' ? '' : `The open tab of a visitor stores ${stored}. `;
  return `${tab}A visitor who joins a table gets a cookie with a key to it, until the table ends. Nothing else is stored in the browsers of visitors.`;
}

export const BROWSER: PolicySection = {
  id: 'in-your-browser',
  heading: 'What your browser stores',
  body: (settings) => (
    <>
      <p>The browser of an owner stores:</p>
      <ul>
        {textsOf(OWNER_NAMES, OWNER_TEXTS, settings).map((text) => (
          <li key={text}>{text}</li>
        ))}
        <li>
          What the service said last, for use without a network:{' '}
          {textsOf(PERSISTED_REPLIES, REPLY_TEXTS, settings).join('; ')}. Visitors and contacts are
          kept for at most {PERSISTED_DAYS} days.
        </li>
      </ul>
      <p>
        Log out removes all of it but the cookies. If your session ends in another way, what you
        typed and haven't saved or sent yet stays for your next sign-in. {visitorText(settings)}
      </p>
    </>
  ),
};
