import { useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'react-router';

import { onReconnect } from '#web/shared/http/connection.ts';
import { PATHS } from '#domain/path.ts';
import { NoContacts } from '#web/shared/contact/list.tsx';
import { useIsOffline } from '#web/shared/http/query.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox, NoteBox } from '#web/shared/ui/note-box.tsx';

import { isAll } from './use-contacts.ts';
import type { ContactQuery, Contacts } from './use-contacts.ts';

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

export function ListSkeleton() {
  return (
    <div className="stack">
      <LoadingStatus>Your contacts are loading</LoadingStatus>
      {ROWS.map((row) => (
        <Skeleton key={row} height="68px" />
      ))}
    </div>
  );
}

interface NothingProps {
  readonly query: ContactQuery;
  readonly onClear: () => void;
}

export function Nothing({ query, onClear }: NothingProps) {
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

interface FailureProps {
  readonly sentence: string;
  readonly onRetry: () => void;
}

/** The list is requested again when the service can be reached. */
export function Failure({ sentence, onRetry }: FailureProps) {
  const isDisconnected = useIsOffline();
  const retry = useEffectEvent(onRetry);
  useEffect(() => onReconnect(() => retry()), []);
  return <FailureBox sentence={isDisconnected ? OFFLINE : sentence} onRetry={onRetry} />;
}

/** The next page loads when this is scrolled into view, or by the button. */
export function More({ pages }: { readonly pages: Contacts }) {
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
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) onMore();
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
