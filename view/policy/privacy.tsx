import { RESTORE_MS } from '#domain/contact.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { EXTRAS, EXTRA_FIELDS } from '#domain/extras.ts';
import type { Extra } from '#domain/extras.ts';
import { PATHS, POLICY_PATHS } from '#domain/path.ts';
import {
  PROFILE_FIELDS,
  PUBLIC_FIELD_NAMES,
  TRANSLATED_FIELD_NAMES,
} from '#domain/profile-field.ts';
import { VISIT_DAYS_MAX } from '#domain/visit.ts';

import { BROWSER } from './browser-storage.tsx';
import { LAW_AND_CONTACT, MINIMUM_AGE } from './policy.tsx';
import type { Policy, PolicySection } from './policy.tsx';

// These texts state facts about the software. Promises that only an operator can make come from settings.

const PUBLIC_LABELS = PUBLIC_FIELD_NAMES.map((name) => PROFILE_FIELDS[name].label);

const TRANSLATED_LABELS = TRANSLATED_FIELD_NAMES.map((name) => PROFILE_FIELDS[name].label);

function publicLabels(extras: ReadonlySet<Extra>): readonly string[] {
  const own = EXTRAS.filter((extra) => extras.has(extra)).map((extra) => EXTRA_FIELDS[extra].label);
  return [...PUBLIC_LABELS, ...own];
}

const yourCard: PolicySection = {
  id: 'your-card',
  heading: 'Your card',
  body: ({ countsVisits, cardExtras, hasLanguages }) => (
    <>
      <p>
        Anyone with your link or QR code sees what you've filled in on your card:{' '}
        {publicLabels(cardExtras).join(', ')}, social links, photo, logo and the look you chose.
        {hasLanguages &&
          ` ${TRANSLATED_LABELS.join(', ')} are also there in each language you add.`}{' '}
        Search engines may list it.
      </p>
      {countsVisits && (
        <p>
          Visits are counted for the owner of a card: how often it was opened and saved, how often
          details were left, and how often each link was used, by day for {VISIT_DAYS_MAX} days.
          Nothing says who the visitors were. To count a visitor once a day, the service computes a
          value from the card, the IP address and the browser's name, and deletes it at the end of
          the day. The IP address itself isn't stored.
        </p>
      )}
    </>
  ),
};

const loginPhone: PolicySection = {
  id: 'login-phone',
  heading: 'Your login phone number',
  body: ({ hasCompanyLogin }) => (
    <p>
      {hasCompanyLogin
        ? "You sign in at your company's own page. It tells this service your phone number and your id there, and the service stores both."
        : 'You sign in with a phone number and a one-time code. The provider that sends the code receives the number.'}{' '}
      Your card has a phone field of its own, which starts as a copy. If the operator invites a
      number, the service stores it with a name until somebody signs up with it. If the operator has
      codes emailed to you, that email is stored too. It never appears on your card.
    </p>
  ),
};

const connections: PolicySection = {
  id: 'connections',
  heading: 'Details that visitors leave',
  body: ({ contactKeepDays, hasNotice, hasReceipts, hasContactsView }) => (
    <>
      <p>
        With Connect, a visitor sends a name, mobile, email and company to the owner of the card.
        The owner sees them on the dashboard. Visitors need no account.
      </p>
      <p>
        At a table, everyone who joins sees what the others enter. It is deleted when the table
        ends, an hour after it started at the latest. Owners at the table keep it as contacts.
      </p>
      <p>
        If many details arrive at once, later ones are held separately. Until those are deleted, the
        service stores a value with them that it computes from the network and the card. It doesn't
        store the IP address itself.
      </p>
      <p>
        To limit abuse, the service counts requests by IP address and phone number, and deletes
        these counts an hour after their limit ends.
      </p>
      {hasContactsView && (
        <p>
          The owner can add a private note and tags to these details, correct them, and delete them.
          If the owner corrects something, what the visitor sent is kept too. A deletion is final
          after {RESTORE_MS / SECOND_MS} seconds. The owner can also add details, typed or from a
          file, which are stored in the same way. The owner can also keep message templates and set
          reminders. For a reminder, the push service gets the name and company, encrypted for the
          owner's browser alone.
        </p>
      )}
      {hasNotice && (
        <p>With the details, the service stores which version of the notice the visitor saw.</p>
      )}
      {hasReceipts && (
        <p>
          After sending, the visitor gets a link to see and withdraw the details. A withdrawal
          deletes them at once. For 30 days, the owner sees that one contact was withdrawn, and on
          which day. The texts of earlier notices are kept.
        </p>
      )}
      {contactKeepDays !== null && (
        <p>The details are deleted {contactKeepDays} days after they were sent.</p>
      )}
    </>
  ),
};

const account: PolicySection = {
  id: 'account-and-data',
  heading: 'Your account and your data',
  body: ({ contactKeepDays, cardExtras, hasWebhooks }) => (
    <>
      <p>
        For each sign-in, the service stores the browser and the system, when you signed in and when
        you last used it, until that session ends. Visitors' details stay until you delete your
        account{contactKeepDays !== null && `, at most ${contactKeepDays} days`}.
      </p>
      <p>
        If you add a passkey, the service stores its public key, its device and the days you added
        and last used it, until you remove it. Your fingerprint or face never leaves your device.
      </p>
      <p>
        If you switch on Notify me, the service stores your browser's address at its maker's push
        service until you switch it off or that session ends. When a visitor leaves details, the
        name and company go through that push service, encrypted for your browser alone.
        {cardExtras.has('upi') && ' It also tells you there when your UPI ID is set or changed.'}
      </p>
      {hasWebhooks && (
        <p>
          If you connect other software, the service sends your contacts' details to that URL,
          without your notes. It stores the answers to the last twenty deliveries until you delete
          your account.
        </p>
      )}
      <p>
        On <a href={PATHS.account}>Account and data</a> you can see where you're signed in, download
        everything that's stored about you, change the phone number you sign in with, or delete your
        account. Deleting it removes the card, the photo, the logo, the sessions and your visitors'
        details at once. We can't reach a link preview that a chat has kept, a contact file that
        somebody has saved, or details you left on other cards. The operator's backups contain your
        data until the operator removes them. So that a backup brings nothing back, the ids of what
        was deleted are kept for three months. If the operator has changed or removed an account, a
        record of when and why stays, with the account's id. Your card links stay yours until you
        delete your account. For three months after that, nobody else can take them.
      </p>
    </>
  ),
};

export const privacy: Policy = {
  path: POLICY_PATHS.privacy,
  title: 'Privacy Policy',
  summary: ({ productName }) => `What ${productName} stores, and who sees it.`,
  sections: [yourCard, loginPhone, connections, account, BROWSER, MINIMUM_AGE, LAW_AND_CONTACT],
};
