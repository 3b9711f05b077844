import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router';

import type { OwnContact } from '#contract/contacts-view.ts';
import { PATHS } from '#domain/path.ts';
import { onReconnect } from '#web/http/connection.ts';
import { useIsOffline } from '#web/http/use-is-offline.ts';
import { arrivalText } from '#web/ui/arrival-text.ts';
import { Button } from '#web/ui/button.tsx';
import { FailureBox, NoteBox } from '#web/ui/note-box.tsx';
import { usePhoneFormat } from '#web/ui/phone-text.ts';

import { ListSkeleton } from './skeleton.tsx';
import type { Contacts } from './use-contacts.ts';

interface ContactListProps {
  readonly contacts: readonly OwnContact[];
  readonly selectedId: string | undefined;
  readonly onSelect: (contact: OwnContact) => void;
}

export function ContactList({ contacts, selectedId, onSelect }: ContactListProps) {
  const [now] = useState(() => new Date());
  const formatPhone = usePhoneFormat();
  return (
    <ul className="contacts-list">
      {contacts.map((contact) => {
        const received = new Date(contact.receivedAt);
        return (
          <li
            key={contact._id}
            className={contact._id === selectedId ? 'contacts-selected' : undefined}
          >
            <div className="contacts-line">
              <button
                type="button"
                dir="auto"
                data-contact={contact._id}
                aria-current={contact._id === selectedId || undefined}
                onClick={() => onSelect(contact)}
              >
                {contact.name}
              </button>
              <time dateTime={contact.receivedAt} title={received.toLocaleString()}>
                {arrivalText(received, now)}
              </time>
            </div>
            <p dir="auto">{contact.companyName || contact.email || formatPhone(contact.mobile)}</p>
            <TagList tags={contact.tags} />
          </li>
        );
      })}
    </ul>
  );
}

function TagList({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className="contacts-tags" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className="contacts-tag" dir="auto">
          {tag}
        </li>
      ))}
    </ul>
  );
}

export function NoContacts() {
  return (
    <NoteBox title="Nobody has left their details yet.">
      <p>Share your card: whoever presses Connect on it appears here.</p>
      <Link className="ui-button ui-button-main" to={PATHS.dashboard}>
        Show my card
      </Link>
    </NoteBox>
  );
}

interface NothingFoundProps {
  readonly search: string;
  readonly onClear: () => void;
}

export function NothingFound({ search, onClear }: NothingFoundProps) {
  return (
    <NoteBox
      title={
        <>
          No contact with “<bdi>{search}</bdi>”.
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
