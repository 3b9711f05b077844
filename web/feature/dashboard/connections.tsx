import './connections.css';

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router';

import { HELD_CONTACTS_HEADER, WITHDRAWN_CONTACTS_HEADER } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { PATHS } from '#domain/path.ts';
import { settings } from '#web/shared/http/settings.ts';
import { useIsOffline } from '#web/shared/http/query.ts';
import { ContactList, NoContacts, Withdrawn, HeldContacts } from '#web/shared/contact/list.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox, NoteBox } from '#web/shared/ui/note-box.tsx';

import { COLUMNS } from './columns.tsx';
import { useLook, NEWEST_COUNT, useContactPages, useNewestContacts } from './new-contacts.tsx';
import { NotifySwitch } from './notify-switch.tsx';
import type { ContactPages } from './new-contacts.tsx';

interface ConnectionsProps {
  readonly onOpen: (contact: Contact) => void;
  /** A held contact is not in the Contacts view's list. */
  readonly onOpenHeld: (contact: Contact) => void;
}

export function Connections(props: ConnectionsProps) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <section className="connections" aria-labelledby="connections-title">
      <header className="head row">
        <h2 id="connections-title">Recent Connections</h2>
        <div className="connections-links row">
          <Link to={PATHS.dashboard} className="link" onClick={() => setShowsAll(true)}>
            See all
          </Link>
          {settings().views.includes('contacts') && (
            <Link className="link" to={PATHS.contacts}>
              Open Contacts
            </Link>
          )}
        </div>
      </header>
      <Newest {...props} showsAll={showsAll} />
    </section>
  );
}

interface NewestProps extends ConnectionsProps {
  readonly showsAll: boolean;
}

function Newest(props: NewestProps) {
  const isOffline = useIsOffline();
  const { data, isPending, refetch } = useNewestContacts();
  const reload = () => void refetch();
  if (isPending) return <ContactsSkeleton />;
  // Without a network there is nothing to try again; the list loads by itself later.
  if (!data && isOffline) {
    return (
      <NoteBox>
        <p>Your connections need a network. They appear when you are online again.</p>
      </NoteBox>
    );
  }
  if (!data) {
    return <FailureBox sentence="Your connections could not be loaded." onRetry={reload} />;
  }
  const heldCount = Number(data.headers[HELD_CONTACTS_HEADER] ?? 0);
  const withdrawn = data.headers[WITHDRAWN_CONTACTS_HEADER]?.split(',') ?? [];
  return (
    <>
      <NotifySwitch isOffered={data.body.length > 0} />
      <AllContacts {...props} newest={data.body} heldCount={heldCount} onReload={reload} />
      <Withdrawn times={withdrawn} />
    </>
  );
}

interface AllContactsProps extends NewestProps {
  /** The ten newest, and all that are new. */
  readonly newest: readonly Contact[];
  readonly heldCount: number;
  readonly onReload: () => void;
}

/** With `showsAll` page by page, and then the held ones apart. */
function AllContacts(props: AllContactsProps) {
  const { newest, heldCount, showsAll, onReload, onOpen, onOpenHeld } = props;
  const [showsHeld, setShowsHeld] = useState(false);
  const [known] = useState(newest);
  const newCount = newest.filter(({ _id }) => !known.some((one) => one._id === _id)).length;
  const mayHaveOlder = newest.length >= NEWEST_COUNT;
  const all = useContactPages({ isEnabled: showsAll && mayHaveOlder });
  const shown = newest.slice(0, NEWEST_COUNT);
  const arrived = shown.filter(({ _id }) => !all.contacts.some((one) => one._id === _id));
  // Contacts between the two lists are missing.
  const hasGap = all.contacts.length > 0 && arrived.length === shown.length;
  const contacts = hasGap ? shown : [...arrived, ...all.contacts];
  const reloadAll = useEffectEvent(all.reload);
  useEffect(() => {
    if (hasGap) reloadAll();
  }, [hasGap]);
  const table = useFocusOnMoreRows(arrived.length, all.contacts.length, shown.length);
  useLook(table, newest);
  const isEnd = showsAll && (!mayHaveOlder || all.status === 'end');
  return (
    <>
      <output className="visually-hidden">{newCount > 0 && `New connections: ${newCount}`}</output>
      <div ref={table}>
        <ContactList columns={COLUMNS} contacts={contacts} onOpen={onOpen} none={<NoContacts />} />
      </div>
      <More pages={all} />
      {isEnd && !showsHeld && heldCount > 0 && (
        <Button className="connections-more" onClick={() => setShowsHeld(true)}>
          {`Show ${heldCount} more`}
        </Button>
      )}
      {showsHeld && (
        <Held
          onOpen={onOpenHeld}
          onDeleted={() => {
            setShowsHeld(false);
            onReload();
            if (all.isEnabled) all.reload();
          }}
        />
      )}
    </>
  );
}

interface HeldProps {
  readonly onOpen: (contact: Contact) => void;
  readonly onDeleted: () => void;
}

function Held({ onOpen, onDeleted }: HeldProps) {
  const held = useContactPages({ isEnabled: true, isHeld: true });
  const table = useFocusOnMoreRows(0, held.contacts.length, 0);
  return (
    <>
      {held.contacts.length > 0 && (
        <HeldContacts count={held.contacts.length} onDeleted={onDeleted}>
          <div ref={table}>
            <ContactList columns={COLUMNS} contacts={held.contacts} onOpen={onOpen} />
          </div>
        </HeldContacts>
      )}
      <More pages={held} />
    </>
  );
}

function More({ pages }: { readonly pages: ContactPages }) {
  const { contacts, status, isEnabled, loadMore } = pages;
  if (!isEnabled || status === 'end') return null;
  if (status === 'failed') {
    return <FailureBox sentence="More connections could not be loaded." onRetry={loadMore} />;
  }
  if (contacts.length === 0) return <ContactsSkeleton />;
  return (
    <Button className="connections-more" isBusy={status === 'loading'} onClick={loadMore}>
      Show more
    </Button>
  );
}

/** The pressed button may disappear. Contacts that arrive at the start do not move the focus. */
function useFocusOnMoreRows(arrivedCount: number, count: number, shownCount: number) {
  const table = useRef<HTMLDivElement>(null);
  const last = useRef(shownCount);
  useEffect(() => {
    if (count <= last.current) return;
    const row = table.current?.querySelectorAll('tbody tr')[arrivedCount + last.current];
    last.current = count;
    if (!(row instanceof HTMLElement)) return;
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  }, [arrivedCount, count]);
  return table;
}

function ContactsSkeleton() {
  return (
    <div className="connections-skeleton stack">
      <LoadingStatus>Your connections are loading</LoadingStatus>
      <Skeleton height="52px" count={3} />
    </div>
  );
}
