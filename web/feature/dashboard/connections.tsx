import './connections.css';

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router';

import { HELD_CONTACTS_HEADER, WITHDRAWN_CONTACTS_HEADER } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { PATHS } from '#domain/path.ts';
import { settings } from '#web/shared/http/settings.ts';
import { ContactList, NoContacts, Withdrawn, HeldContacts } from '#web/shared/contact/list.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox, LoadState } from '#web/shared/ui/note-box.tsx';

import { COLUMNS } from './columns.tsx';
import { PeopleMet } from './people-met.tsx';
import { useMarkSeen, NEWEST_COUNT, useContactPages, useNewestContacts } from './new-contacts.tsx';
import { NotifySwitch } from './notify-switch.tsx';
import type { ContactPages } from './new-contacts.tsx';

interface ConnectionsProps {
  readonly onOpen: (contact: Contact) => void;
  /** Opens a held contact, which the Contacts view does not list. */
  readonly onOpenHeld: (contact: Contact) => void;
}

export function Connections(props: ConnectionsProps) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <>
      <PeopleMet />
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
        <NewestConnections {...props} showsAll={showsAll} />
      </section>
    </>
  );
}

interface NewestConnectionsProps extends ConnectionsProps {
  readonly showsAll: boolean;
}

function NewestConnections(props: NewestConnectionsProps) {
  const query = useNewestContacts();
  const { data, isFetched, refetch } = query;
  const failure = (
    <LoadState
      query={query}
      sentence="We couldn't load your connections."
      offline="Your connections need a network. You'll see them when you're back online."
      showsWhenOffline
    />
  );
  if (!data) return isFetched ? failure : <ContactsSkeleton />;
  const reload = () => void refetch();
  const heldCount = Number(data.headers[HELD_CONTACTS_HEADER] ?? 0);
  const withdrawn = data.headers[WITHDRAWN_CONTACTS_HEADER]?.split(',') ?? [];
  return (
    <>
      {failure}
      <NotifySwitch isOffered={data.body.length > 0} />
      <ConnectionList {...props} newest={data.body} heldCount={heldCount} onReload={reload} />
      <Withdrawn times={withdrawn} />
    </>
  );
}

interface ConnectionListProps extends NewestConnectionsProps {
  /** The ten newest contacts, and more if all ten are new. */
  readonly newest: readonly Contact[];
  readonly heldCount: number;
  readonly onReload: () => void;
}

/** Lists the newest contacts. `showsAll` adds the older ones page by page, and then the held ones in their own list. */
function ConnectionList(props: ConnectionListProps) {
  const { newest, heldCount, showsAll, onReload, onOpen, onOpenHeld } = props;
  const [showsHeld, setShowsHeld] = useState(false);
  const [initial] = useState(newest);
  const newCount = newest.filter(({ _id }) => !initial.some((one) => one._id === _id)).length;
  const mayHaveOlder = newest.length >= NEWEST_COUNT;
  const allPages = useContactPages({ isEnabled: showsAll && mayHaveOlder });
  const latest = newest.slice(0, NEWEST_COUNT);
  const arrived = latest.filter(({ _id }) => !allPages.contacts.some((one) => one._id === _id));
  // If no contact is in both lists, those between the lists may be missing.
  const hasGap = allPages.contacts.length > 0 && arrived.length === latest.length;
  const contacts = hasGap ? latest : [...arrived, ...allPages.contacts];
  const reloadAll = useEffectEvent(allPages.reload);
  useEffect(() => {
    if (hasGap) reloadAll();
  }, [hasGap]);
  const table = useFocusOnMoreRows(arrived.length, allPages.contacts.length, latest.length);
  useMarkSeen(table, newest);
  const isEnd = showsAll && (!mayHaveOlder || allPages.status === 'end');
  return (
    <>
      <output className="visually-hidden">{newCount > 0 && `New connections: ${newCount}`}</output>
      <div ref={table}>
        <ContactList
          columns={COLUMNS}
          contacts={contacts}
          onOpen={onOpen}
          emptyContent={<NoContacts />}
        />
      </div>
      <LoadMore pages={allPages} />
      {isEnd && !showsHeld && heldCount > 0 && (
        <Button className="connections-more" onClick={() => setShowsHeld(true)}>
          {`Show ${heldCount} more`}
        </Button>
      )}
      {showsHeld && (
        <HeldConnections
          onOpen={onOpenHeld}
          onDeleted={() => {
            setShowsHeld(false);
            onReload();
            if (allPages.isEnabled) allPages.reload();
          }}
        />
      )}
    </>
  );
}

interface HeldConnectionsProps {
  readonly onOpen: (contact: Contact) => void;
  readonly onDeleted: () => void;
}

function HeldConnections({ onOpen, onDeleted }: HeldConnectionsProps) {
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
      <LoadMore pages={held} />
    </>
  );
}

function LoadMore({ pages }: { readonly pages: ContactPages }) {
  const { contacts, status, isEnabled, loadMore } = pages;
  if (!isEnabled || status === 'end') return null;
  if (status === 'failed') {
    return <FailureBox sentence="We couldn't load more connections." onRetry={loadMore} />;
  }
  if (contacts.length === 0) return <ContactsSkeleton />;
  return (
    <Button className="connections-more" isBusy={status === 'loading'} onClick={loadMore}>
      Show more
    </Button>
  );
}

/**
 * Moves the focus to the first row that was loaded, because the pressed button may disappear. Contacts that
 * arrive at the top do not move it.
 */
function useFocusOnMoreRows(arrivedCount: number, count: number, shownCount: number) {
  const table = useRef<HTMLDivElement>(null);
  const lastCount = useRef(shownCount);
  useEffect(() => {
    if (count <= lastCount.current) return;
    const row = table.current?.querySelectorAll('tbody tr')[arrivedCount + lastCount.current];
    lastCount.current = count;
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
