import { useEffect, useEffectEvent, useRef } from 'react';

import { onReconnect } from '#web/shared/http/connection.ts';
import { useIsOffline } from '#web/shared/http/query.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { FailureBox, NoteBox } from '#web/shared/ui/note-box.tsx';

import { ListSkeleton } from './skeleton.tsx';
import type { ContactQuery } from './query.ts';
import type { Contacts } from './use-contacts.ts';

interface NothingFoundProps {
  readonly query: ContactQuery;
  readonly onClear: () => void;
}

export function NothingFound({ query: { search, tag }, onClear }: NothingFoundProps) {
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
