import './connections.css';

import { useEffect, useState } from 'react';
import { Link } from 'react-router';

import { getContacts } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { mailHref, telephoneHref } from '#domain/href.ts';
import { call } from '#web/http/call.ts';
import { PATHS } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadingStatus, Skeleton } from '#web/ui/loading.tsx';

/** The table shows the newest contacts (docs/product.md#dashboard). */
const CONTACTS_MAX = 10;
const SKELETON_ROWS = ['first', 'second', 'third'] as const;

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'ready'; readonly contacts: readonly Contact[] };

/** Recent Connections: the newest contacts of the owner. */
export function Connections({ userId }: { readonly userId: string }) {
  const [attempt, setAttempt] = useState(1);
  return (
    <section className="connections" aria-labelledby="connections-title">
      <header className="connections-head">
        <h2 id="connections-title">Recent Connections</h2>
        <Link to={PATHS.dashboard}>See all</Link>
      </header>
      <ContactList key={attempt} userId={userId} onRetry={() => setAttempt(attempt + 1)} />
    </section>
  );
}

interface ContactListProps {
  readonly userId: string;
  readonly onRetry: () => void;
}

/** One attempt to load the contacts, and its result. */
function ContactList({ userId, onRetry }: ContactListProps) {
  const [state, setState] = useState<State>({ kind: 'loading' });
  useEffect(() => {
    let isMounted = true;
    const load = async () => {
      const input = { params: { id: userId }, query: { limit: CONTACTS_MAX } };
      const { body } = await call(getContacts, input);
      if (isMounted) setState(body ? { kind: 'ready', contacts: body } : { kind: 'failed' });
    };
    void load();
    return () => {
      isMounted = false;
    };
  }, [userId]);

  if (state.kind === 'loading') return <ContactsSkeleton />;
  if (state.kind === 'ready') return <ContactTable contacts={state.contacts} />;
  return (
    <div role="alert" className="connections-note">
      <p>Your connections could not be loaded.</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

function ContactsSkeleton() {
  return (
    <div className="connections-skeleton">
      <LoadingStatus>Your connections are loading</LoadingStatus>
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className="connections-skeleton-row" />
      ))}
    </div>
  );
}

/** The contacts in four columns; on a phone each row is a block. */
function ContactTable({ contacts }: { readonly contacts: readonly Contact[] }) {
  return (
    <>
      <table className={contacts.length === 0 ? 'connections-empty' : ''}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Company</th>
            <th scope="col">Email</th>
            <th scope="col">Phone no.</th>
          </tr>
        </thead>
        <tbody>
          {contacts.map((contact) => (
            <Row key={contact._id} contact={contact} />
          ))}
        </tbody>
      </table>
      {contacts.length === 0 && (
        <div className="connections-note">
          <p className="connections-note-first">Nobody has left their details yet.</p>
          <p>Share your card: whoever presses Connect on it appears here.</p>
        </div>
      )}
    </>
  );
}

function Row({ contact }: { readonly contact: Contact }) {
  const { name, companyName, email, mobile } = contact;
  return (
    <tr>
      <td className="connections-name" dir="auto">
        {name}
      </td>
      <td dir="auto">{companyName}</td>
      <td>{email !== '' && <a href={mailHref(email)}>{email}</a>}</td>
      <td className="connections-mobile">
        <Mobile mobile={mobile} />
      </td>
    </tr>
  );
}

function Mobile({ mobile }: { readonly mobile: string }) {
  const href = telephoneHref(mobile);
  return href === null ? mobile : <a href={href}>{mobile}</a>;
}
