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
import { useIsNarrow } from '#web/shared/ui/media-query.ts';
import { FailureBox, NoteBox } from '#web/shared/ui/note-box.tsx';

import { ChosenBar } from './chosen-bar.tsx';
import { createColumns } from './columns.tsx';
import { ToDoLine } from './to-do.tsx';
import type { ContactTools } from './tools.tsx';
import { isUnfiltered } from './use-contacts.ts';
import type { ContactQuery, Contacts } from './use-contacts.ts';
import type { Selection } from './selection.tsx';

interface FoundProps {
  readonly pages: Contacts;
  readonly held: Contacts;
  readonly query: ContactQuery;
  readonly selection: Selection;
  readonly tools: ContactTools;
  readonly onEndSelection: () => void;
  readonly onShowHeld: () => void;
  readonly onHeldDeleted: () => void;
  readonly onShowAll: () => void;
}

export function Found(props: FoundProps) {
  const { pages, held, query, selection, tools, onEndSelection } = props;
  const { onShowHeld, onHeldDeleted, onShowAll } = props;
  const { found, isLoading, isCurrent, loadMore } = pages;
  const isNarrow = useIsNarrow();
  const [now] = useState(() => new Date());
  const dayOf = ({ receivedAt }: OwnContact) => dayHeading(new Date(receivedAt), now);
  if (found === null) {
    if (isLoading) return <ListSkeleton />;
    return <LoadFailure sentence="We couldn't load your contacts." onRetry={loadMore} />;
  }
  const { contacts } = found;
  const heldContacts = held.isEnabled && held.isCurrent ? held.found?.contacts : undefined;
  const isComplete = isCurrent && found.next === '';
  const isByDay = query.order === 'newest';
  const { selected, select, chosen, toggle } = selection;
  const list = {
    columns: createColumns({ now, isByDay, selection }),
    headingOf: isByDay ? dayOf : undefined,
    openId: selected?._id,
    onOpen: chosen ? toggle : select,
  };
  const isEmpty =
    isComplete && contacts.length === 0 && (heldContacts?.length ?? found.heldCount) === 0;
  return (
    <>
      <StaleNotice pages={pages} />
      {chosen && <ChosenBar chosen={chosen} selection={selection} onClose={onEndSelection} />}
      {!chosen && isNarrow && isUnfiltered(query) && <ToDoLine {...{ found, selection }} />}
      <ContactList {...list} contacts={contacts} />
      {isEmpty && <NothingFound query={query} tools={tools} onClear={onShowAll} />}
      <NextPage pages={pages} />
      {isComplete && !held.isEnabled && found.heldCount > 0 && (
        <Button className="contacts-more" onClick={onShowHeld}>
          {`Show ${found.heldCount} more`}
        </Button>
      )}
      {heldContacts !== undefined && heldContacts.length > 0 && (
        <HeldContacts count={heldContacts.length} onDeleted={onHeldDeleted}>
          <ContactList {...list} contacts={heldContacts} />
        </HeldContacts>
      )}
      <NextPage pages={held} />
      <div className="contacts-foot note stack">
        <Withdrawn times={found.withdrawn} />
        {found.keepDays !== null && <p>{`Contacts are deleted after ${found.keepDays} days.`}</p>}
        {contacts.length > 0 && 'serviceWorker' in navigator && (
          <p>
            {`Your newest ${CONTACTS_PER_PAGE} are kept on this device, so you can call people without a network. Log out removes them.`}
          </p>
        )}
      </div>
    </>
  );
}

/** Shows when the contacts were loaded, if they could not be loaded again. */
function StaleNotice({ pages: { found, failedAsOf, reload } }: { readonly pages: Contacts }) {
  if (found?.asOf !== undefined)
    return (
      <output className="contacts-kept remark">
        {`You're offline. These are your newest contacts as of ${fullText(new Date(found.asOf))}.`}
      </output>
    );
  if (failedAsOf === undefined) return null;
  const sentence = "We couldn't load your contacts.";
  return <FailureBox sentence={sentence} asOf={failedAsOf} onRetry={reload} />;
}

/** Shows the number of contacts that are not held. For a search, it grows with each page that is loaded. */
export function Count({ found, isCurrent }: Contacts) {
  if (found === null || !isCurrent) return <output className="contacts-count" />;
  const { contacts, next, count, query } = found;
  const shown = contacts.length;
  const all = Math.max(shown, count);
  return (
    <output className="contacts-count">
      {isUnfiltered(query)
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

interface NothingFoundProps {
  readonly query: ContactQuery;
  readonly tools: ContactTools;
  readonly onClear: () => void;
}

function NothingFound({ query, tools, onClear }: NothingFoundProps) {
  const { search, tag } = query;
  if (isUnfiltered(query))
    return (
      <NoContacts>
        <div className="contacts-helps row">
          <Link className="ui-button ui-button-main" to={PATHS.dashboard}>
            Share your card
          </Link>
          <Button onClick={() => tools.add(null)}>Add a contact</Button>
          <Button variant="plain" onClick={tools.chooseFile}>
            Import contacts
          </Button>
        </div>
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
      <p>You can search by name, company, email, phone or tag.</p>
      <Button onClick={onClear}>Show all contacts</Button>
    </NoteBox>
  );
}

const OFFLINE_TEXT = "Your contacts need a network. You'll see them when you're back online.";

/** Requests the list again as soon as the service can be reached. */
function LoadFailure({ sentence, onRetry }: ComponentProps<typeof FailureBox>) {
  const retry = useEffectEvent(onRetry);
  useEffect(() => onReconnect(() => retry()), []);
  return <FailureBox {...{ sentence, onRetry }} offline={OFFLINE_TEXT} />;
}

/** Loads the next page when it is scrolled into view or its button is pressed. */
function NextPage({ pages }: { readonly pages: Contacts }) {
  const { found, isLoading, hasFailed, isCurrent, isEnabled, loadMore } = pages;
  if (!isEnabled) return null;
  if (found === null && isLoading) return <ListSkeleton />;
  if (hasFailed) {
    return <LoadFailure sentence="We couldn't load more contacts." onRetry={loadMore} />;
  }
  if (!isCurrent || !found?.next) return null;
  return <MoreButton isBusy={isLoading} onMore={loadMore} />;
}

function MoreButton({ isBusy, onMore }: { readonly isBusy: boolean; readonly onMore: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isBusy || !element.current) return undefined;
    // One call may report several states, of which the last is the present one.
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
