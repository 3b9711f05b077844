import { useState } from 'react';

import type { Contact } from '#contract/contact.ts';
import { contactTimeMs } from '#domain/contact-time.ts';
import { mailHref } from '#domain/href.ts';
import { arrivalText, fullText } from '#web/shared/ui/date-text.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { NoteBox } from '#web/shared/ui/note-box.tsx';
import { usePhones } from '#web/shared/ui/phone-text.ts';

const SKELETON_ROWS = ['first', 'second', 'third'] as const;

interface ContactTableProps {
  readonly contacts: readonly Contact[];
  readonly onOpen: (contact: Contact) => void;
}

/** On a phone each row is a block. */
export function ContactTable({ contacts, onOpen }: ContactTableProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Company</th>
          <th scope="col">Email</th>
          <th scope="col">Phone no.</th>
        </tr>
      </thead>
      <tbody>
        {contacts.length === 0 && (
          <tr>
            <td className="connections-none" colSpan={4}>
              <NoContacts />
            </td>
          </tr>
        )}
        {contacts.map((contact) => (
          <Row key={contact._id} contact={contact} onOpen={() => onOpen(contact)} />
        ))}
      </tbody>
    </table>
  );
}

function NoContacts() {
  return (
    <NoteBox icon="contacts" title="Nobody has left their details yet.">
      <p>Share your card: whoever presses Connect on it appears here.</p>
    </NoteBox>
  );
}

export function ContactsSkeleton() {
  return (
    <div className="connections-skeleton">
      <LoadingStatus>Your connections are loading</LoadingStatus>
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className="connections-skeleton-row" />
      ))}
    </div>
  );
}

interface RowProps {
  readonly contact: Contact;
  readonly onOpen: () => void;
}

function Row({ contact, onOpen }: RowProps) {
  const { _id, name, companyName, email, mobile } = contact;
  return (
    <tr>
      <td>
        <button type="button" className="connections-name" dir="auto" onClick={onOpen}>
          {name}
        </button>
        <Arrival time={contactTimeMs(_id)} />
      </td>
      <td dir="auto">{companyName}</td>
      <td>{email !== '' && <a href={mailHref(email)}>{email}</a>}</td>
      <td>
        <Mobile mobile={mobile} />
      </td>
    </tr>
  );
}

/** Nothing if the id contains no time. */
function Arrival({ time }: { readonly time: number | null }) {
  const [now] = useState(() => new Date());
  if (time === null) return null;
  const date = new Date(time);
  return (
    <time className="connections-time" dateTime={date.toISOString()} title={fullText(date)}>
      {arrivalText(date, now)}
    </time>
  );
}

function Mobile({ mobile }: { readonly mobile: string }) {
  const { formatPhone, phoneHref } = usePhones();
  const href = phoneHref(mobile);
  const text = formatPhone(mobile);
  return href === null ? text : <a href={href}>{text}</a>;
}
