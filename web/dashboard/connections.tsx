import './connections.css';

import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';

import type { Contact } from '#contract/contact.ts';
import { PATHS } from '#domain/path.ts';
import { useIsOffline } from '#web/http/use-is-offline.ts';
import { Button } from '#web/ui/button.tsx';
import { HeldContacts } from '#web/ui/held-contacts.tsx';
import { FailureBox, NoteBox } from '#web/ui/note-box.tsx';

import { ContactTable, ContactsSkeleton } from './contact-table.tsx';
import { NotifySwitch } from './notify-switch.tsx';
import { useContactPages } from './use-contact-pages.ts';
import type { ContactPages } from './use-contact-pages.ts';
import { NEWEST_COUNT, useNewestContacts } from './use-newest-contacts.ts';

export function Connections({ userId }: { readonly userId: string }) {
  const [attempt, setAttempt] = useState(1);
  const [showsAll, setShowsAll] = useState(false);
  return (
    <section className="connections" aria-labelledby="connections-title">
      <header className="connections-head">
        <h2 id="connections-title">Recent Connections</h2>
        <Link to={PATHS.dashboard} onClick={() => setShowsAll(true)}>
          See all
        </Link>
      </header>
      <NotifySwitch userId={userId} />
      <ContactList
        key={attempt}
        userId={userId}
        showsAll={showsAll}
        onReload={() => setAttempt(attempt + 1)}
      />
    </section>
  );
}

interface ContactListProps {
  readonly userId: string;
  readonly showsAll: boolean;
  readonly onReload: () => void;
}

function ContactList({ userId, showsAll, onReload }: ContactListProps) {
  const state = useNewestContacts(userId);
  const isOffline = useIsOffline();
  if (state.kind === 'loading') return <ContactsSkeleton />;
  if (state.kind === 'failed' && isOffline) return <OfflineNote />;
  if (state.kind === 'failed') {
    return <FailureBox sentence="Your connections could not be loaded." onRetry={onReload} />;
  }
  const { contacts, gaps, heldCount, arrivedCount } = state;
  return (
    <>
      <output className="visually-hidden">
        {arrivedCount > 0 && `New connections: ${arrivedCount}`}
      </output>
      {/* A new list after a gap: start again without the loaded pages. */}
      <AllContacts
        key={gaps}
        userId={userId}
        newest={contacts}
        heldCount={heldCount}
        showsAll={showsAll}
        onReload={onReload}
      />
    </>
  );
}

interface AllContactsProps extends ContactListProps {
  /** The ten newest of the first request, and all that arrived since. */
  readonly newest: readonly Contact[];
  readonly heldCount: number;
}

/** With `showsAll` the older ones page by page, and then the held ones apart. */
function AllContacts({ userId, newest, heldCount, showsAll, onReload }: AllContactsProps) {
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
        <ContactTable contacts={[...first, ...older.contacts]} />
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
            <ContactTable contacts={held.contacts} />
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
