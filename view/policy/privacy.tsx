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
        Everybody with your link or QR code sees your card, as far as you filled it in:{' '}
        {publicLabels(cardExtras).join(', ')}, social links, photo, logo and the look that you
        chose.
        {hasLanguages &&
          ` ${TRANSLATED_LABELS.join(', ')} are also there in each language that you add.`}{' '}
        Search engines may list it.
      </p>
      {countsVisits && (
        <p>
          Visits are counted for the owner of a card: how often it was opened and saved, how often
          details were left, and how often each link was used, by day for {VISIT_DAYS_MAX} days. Who
          it was is not stored. To count a visitor once a day, the service stores a value that it
          computes from the card, the network address and the name of the browser, and deletes it at
          the end of the day; the address itself is not stored.
        </p>
      )}
    </>
  ),
};

const loginPhone: PolicySection = {
  id: 'login-phone',
  heading: 'Your login phone number',
  body: () => (
    <p>
      You sign in with a phone number and a one-time code. The provider that sends the code receives
      the number. The card has a phone field of its own, which starts as a copy. If the operator
      invites a number, it is stored with a name until somebody signs up with it. If the operator
      has codes sent to you by email, that email is stored too, and nobody sees it on your card.
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
        When many details arrive at once, later ones are held apart. With those the service stores a
        value that it computes from the network and the card, until they are deleted, but not the
        address itself.
      </p>
      <p>
        To limit abuse, the service counts requests by network address and phone number, and deletes
        these counts an hour after their limit ends.
      </p>
      {hasContactsView && (
        <p>
          The owner can add a private note and tags to these details, correct them, and delete them.
          What the visitor sent is kept beside a correction. A deletion is final after{' '}
          {RESTORE_MS / SECOND_MS} seconds. The owner can also add details, typed or from a file,
          which are stored in the same way. The owner can also keep templates of messages, and be
          reminded of somebody; the push service then gets the name and the company, encrypted for
          the owner's browser alone.
        </p>
      )}
      {hasNotice && (
        <p>With the details the service stores which version of the notice the visitor saw.</p>
      )}
      {hasReceipts && (
        <p>
          After sending, the visitor gets a link to see and withdraw the details. A withdrawal
          deletes them at once; for 30 days the owner sees that one contact was withdrawn and on
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
        For each sign-in the service stores the browser and the system, when you signed in and when
        you last used it, until that session ends. Details of visitors stay until you delete your
        account{contactKeepDays !== null && `, at most ${contactKeepDays} days`}.
      </p>
      <p>
        If you switch on Notify me, the service stores the address of your browser at the push
        service of the browser&apos;s maker until you switch it off or that session ends. When a
        visitor leaves details, it sends the name and the company through that push service,
        encrypted for your browser alone.
        {cardExtras.has('upi') && ' It also says there that your UPI ID was set or changed.'}
      </p>
      {hasWebhooks && (
        <p>
          If you connect other software, the service sends the details of your contacts to that
          address, without your notes, and stores for you what each of the last twenty deliveries
          was answered, until you delete your account.
        </p>
      )}
      <p>
        On <a href={PATHS.account}>Account and data</a> you see where you are signed in, download
        everything that is stored about you, change the phone number that you sign in with, or
        delete your account. A deletion removes the card, the photo, the logo, the sessions and the
        details of your visitors at once. We cannot reach a link preview that a chat has kept, a
        contact file that somebody has saved, and the details that you left on other cards. Backups
        of the operator contain your data until the operator removes them; so that they bring
        nothing back, the ids of what was deleted are kept for three months. If the operator has
        changed or removed an account, a record of when and why stays, with the id of the account.
        The card addresses that you have had stay yours until then, and free for nobody for three
        months after it.
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
