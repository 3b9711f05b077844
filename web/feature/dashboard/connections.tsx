import './connections.css';

import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';

import type { Contact } from '#contract/contact.ts';
import { PATHS } from '#domain/path.ts';
import { settings } from '#web/shared/http/settings.ts';
import { useIsOffline } from '#web/shared/http/use-is-offline.ts';
import { ContactList, NoContacts } from '#web/shared/contact/list.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { HeldContacts } from '#web/shared/ui/held-contacts.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox, NoteBox } from '#web/shared/ui/note-box.tsx';

import { COLUMNS } from './columns.tsx';
import { NotifySwitch } from './notify-switch.tsx';
import { useContactPages } from './use-contact-pages.ts';
import type { ContactPages } from './use-contact-pages.ts';
import { NEWEST_COUNT } from './use-newest-contacts.ts';
import type { NewestContacts } from './use-newest-contacts.ts';

interface ConnectionsProps {
  readonly userId: string;
  readonly newest: NewestContacts;
  readonly onReload: () => void;
  readonly onOpen: (contact: Contact) => void;
  /** A held contact is not in the Contacts view's list. */
  readonly onOpenHeld: (contact: Contact) => void;
}

export function Connections(props: ConnectionsProps) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <section className="connections" aria-labelledby="connections-title">
      <header className="connections-head">
        <h2 id="connections-title">Recent Connections</h2>
        <div className="connections-links">
          <Link to={PATHS.dashboard} onClick={() => setShowsAll(true)}>
            See all
          </Link>
          {settings().views.includes('contacts') && <Link to={PATHS.contacts}>Open Contacts</Link>}
        </div>
      </header>
      <Newest {...props} showsAll={showsAll} />
    </section>
  );
}

interface NewestProps extends ConnectionsProps {
  readonly showsAll: boolean;
}

function Newest({ newest, ...props }: NewestProps) {
  const isOffline = useIsOffline();
  if (newest.kind === 'loading') return <ContactsSkeleton />;
  if (newest.kind === 'failed' && isOffline) return <OfflineNote />;
  if (newest.kind === 'failed') {
    return <FailureBox sentence="Your connections could not be loaded." onRetry={props.onReload} />;
  }
  const { contacts, gaps, heldCount, arrivedCount } = newest;
  return (
    <>
      <output className="visually-hidden">
        {arrivedCount > 0 && `New connections: ${arrivedCount}`}
      </output>
      <NotifySwitch userId={props.userId} isOffered={contacts.length > 0} />
      {/* A new list after a gap: start again without the loaded pages. */}
      <AllContacts key={gaps} {...props} newest={contacts} heldCount={heldCount} />
    </>
  );
}

interface AllContactsProps extends Omit<NewestProps, 'newest'> {
  /** The ten newest of the first request, and all that arrived since. */
  readonly newest: readonly Contact[];
  readonly heldCount: number;
}

/** With `showsAll` the older ones page by page, and then the held ones apart. */
function AllContacts(props: AllContactsProps) {
  const { userId, newest, heldCount, showsAll, onReload, onOpen, onOpenHeld } = props;
  const [showsHeld, setShowsHeld] = useState(false);
  const mayHaveOlder = newest.length >= NEWEST_COUNT;
  const older = useContactPages({
    userId,
    isEnabled: showsAll && mayHaveOlder,
    before: newest.at(-1)?._id,
  });
  const held = useContactPages({ userId, isEnabled: showsHeld, held: 'true' });
  const first = showsAll ? newest : newest.slice(0, NEWEST_COUNT);
  const table = useFocusOnMoreRows(first.length, older.contacts.length);
  const heldTable = useFocusOnMoreRows(0, held.contacts.length);
  const isEnd = showsAll && (!mayHaveOlder || older.status === 'end');
  return (
    <>
      <div ref={table}>
        <ContactList
          columns={COLUMNS}
          contacts={[...first, ...older.contacts]}
          onOpen={onOpen}
          none={<NoContacts />}
        />
      </div>
      <More pages={older} />
      {isEnd && !showsHeld && heldCount > 0 && (
        <Button className="connections-more" onClick={() => setShowsHeld(true)}>
          {`Show ${heldCount} more`}
        </Button>
      )}
      {held.contacts.length > 0 && (
        <HeldContacts count={held.contacts.length} onDeleted={onReload}>
          <div ref={heldTable}>
            <ContactList columns={COLUMNS} contacts={held.contacts} onOpen={onOpenHeld} />
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
function useFocusOnMoreRows(firstCount: number, moreCount: number) {
  const table = useRef<HTMLDivElement>(null);
  const last = useRef(moreCount);
  useEffect(() => {
    if (moreCount <= last.current) return;
    const row = table.current?.querySelectorAll('tbody tr')[firstCount + last.current];
    last.current = moreCount;
    if (!(row instanceof HTMLElement)) return;
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  }, [firstCount, moreCount]);
  return table;
}

/** Without a network there is nothing to try again; the list loads by itself later. */
function OfflineNote() {
  return (
    <NoteBox>
      <p>Your connections need a network. They appear when you are online again.</p>
    </NoteBox>
  );
}

const SKELETON_ROWS = ['first', 'second', 'third'] as const;

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
