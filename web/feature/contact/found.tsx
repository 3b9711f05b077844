import { useState, useEffect, useEffectEvent, useRef } from 'react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';

import { CONTACTS_PER_PAGE } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { PATHS } from '#domain/path.ts';
import { ContactList, NoContacts, Withdrawn, HeldContacts } from '#web/shared/contact/list.tsx';
import { onReconnect } from '#web/shared/http/connection.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { LOCALE, dayHeading, fullText } from '#web/shared/ui/date-text.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox, NoteBox } from '#web/shared/ui/note-box.tsx';

import { Chosen, columnsAt } from './columns.tsx';
import { ToDo } from './reminder.tsx';
import { isAll } from './use-contacts.ts';
import type { ContactQuery, Contacts } from './use-contacts.ts';
import type { Selection } from './selection.tsx';

interface FoundProps {
  readonly pages: Contacts;
  readonly held: Contacts;
  readonly query: ContactQuery;
  readonly selection: Selection;
  readonly onShowHeld: () => void;
  readonly onHeldDeleted: () => void;
  readonly onShowAll: () => void;
}

export function Found(props: FoundProps) {
  const { pages, held, query, selection, onShowHeld, onHeldDeleted, onShowAll } = props;
  const { found, isLoading, isCurrent, loadMore } = pages;
  const [now] = useState(() => new Date());
  const dayOf = ({ receivedAt }: OwnContact) => dayHeading(new Date(receivedAt), now);
  if (found === null) {
    if (isLoading) return <ListSkeleton />;
    return <Failure sentence="Your contacts could not be loaded." onRetry={loadMore} />;
  }
  const shown = found.contacts;
  const shownHeld = held.isEnabled && held.isCurrent ? held.found?.contacts : undefined;
  const isEnd = isCurrent && found.next === '';
  const isByDay = query.order === 'newest';
  const { selected, select, chosen, toggle } = selection;
  const list = {
    columns: columnsAt({ now, isByDay, selection }),
    headingOf: isByDay ? dayOf : undefined,
    openId: selected?._id,
    onOpen: chosen ? toggle : select,
  };
  const isEmpty = isEnd && shown.length === 0 && (shownHeld?.length ?? found.heldCount) === 0;
  return (
    <>
      {found.asOf !== undefined && (
        <output className="contacts-kept remark">
          {`You are offline. These are your newest contacts as of ${fullText(new Date(found.asOf))}.`}
        </output>
      )}
      {isAll(query) && <ToDo contacts={found.toDo} hasPush={found.hasPush} selection={selection} />}
      {chosen && <Chosen chosen={chosen} selection={selection} />}
      <ContactList {...list} contacts={shown} />
      {isEmpty && <Nothing query={query} onClear={onShowAll} />}
      <More pages={pages} />
      {isEnd && !held.isEnabled && found.heldCount > 0 && (
        <Button className="contacts-more" onClick={onShowHeld}>
          {`Show ${found.heldCount} more`}
        </Button>
      )}
      {shownHeld !== undefined && shownHeld.length > 0 && (
        <HeldContacts count={shownHeld.length} onDeleted={onHeldDeleted}>
          <ContactList {...list} contacts={shownHeld} />
        </HeldContacts>
      )}
      <More pages={held} />
      <div className="contacts-foot note stack">
        <Withdrawn times={found.withdrawn} />
        {found.keepDays !== null && <p>{`Contacts are deleted after ${found.keepDays} days.`}</p>}
        {shown.length > 0 && 'serviceWorker' in navigator && (
          <p>
            {`The newest ${CONTACTS_PER_PAGE} are kept on this device, so that you can call without a network. Log out removes them.`}
          </p>
        )}
      </div>
    </>
  );
}

/** The number of the contacts that are not held; of a search as far as it is known. */
export function Count({ found, isCurrent }: Contacts) {
  if (found === null || !isCurrent) return <output className="contacts-count" />;
  const { contacts, next, count, query } = found;
  const shown = contacts.length;
  const all = Math.max(shown, count);
  return (
    <output className="contacts-count">
      {isAll(query)
        ? all > 0 && `${all.toLocaleString(LOCALE)} ${all === 1 ? 'contact' : 'contacts'}`
        : `${next === '' ? '' : 'More than '}${shown.toLocaleString(LOCALE)} found`}
    </output>
  );
}

function ListSkeleton() {
  return (
    <div className="stack">
      <LoadingStatus>Your contacts are loading</LoadingStatus>
      <Skeleton height="68px" count={6} />
    </div>
  );
}

interface NothingProps {
  readonly query: ContactQuery;
  readonly onClear: () => void;
}

function Nothing({ query, onClear }: NothingProps) {
  const { search, tag } = query;
  if (isAll(query))
    return (
      <NoContacts>
        <Link className="ui-button ui-button-main" to={PATHS.dashboard}>
          Show my card
        </Link>
      </NoContacts>
    );
  return (
    <NoteBox
      title={
        <>
          No contact with “<bdi>{search || tag}</bdi>”
          {search !== '' && tag !== '' && (
            <>
              {' '}
              and the tag “<bdi>{tag}</bdi>”
            </>
          )}
          .
        </>
      }
    >
      <p>A search looks at the name, the company, the email, the phone and your tags.</p>
      <Button onClick={onClear}>Show all contacts</Button>
    </NoteBox>
  );
}

const OFFLINE = 'Your contacts need a network. They appear when you are online again.';

/** The list is requested again when the service can be reached. */
function Failure({ sentence, onRetry }: ComponentProps<typeof FailureBox>) {
  const retry = useEffectEvent(onRetry);
  useEffect(() => onReconnect(() => retry()), []);
  return <FailureBox {...{ sentence, onRetry }} offline={OFFLINE} />;
}

/** The next page loads when this is scrolled into view, or by the button. */
function More({ pages }: { readonly pages: Contacts }) {
  const { found, isLoading, hasFailed, isCurrent, isEnabled, loadMore } = pages;
  if (!isEnabled) return null;
  if (found === null && isLoading) return <ListSkeleton />;
  if (hasFailed) {
    return <Failure sentence="More contacts could not be loaded." onRetry={loadMore} />;
  }
  if (!isCurrent || !found?.next) return null;
  return <MoreButton isBusy={isLoading} onMore={loadMore} />;
}

function MoreButton({ isBusy, onMore }: { readonly isBusy: boolean; readonly onMore: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isBusy || !element.current) return undefined;
    // The last of the states that are reported at once is the present one.
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting) onMore();
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  });
  return (
    <div ref={element} className="contacts-more">
      <Button isBusy={isBusy} onClick={onMore}>
        Show more
      </Button>
    </div>
  );
}
