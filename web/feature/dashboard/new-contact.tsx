import './new-contact.css';

import { useEffect, useEffectEvent, useRef, useState } from 'react';

import type { Contact } from '#contract/contact.ts';
import { contactTimeMs } from '#domain/contact-time.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';

import { CONNECTIONS_TITLE_ID } from './connections.tsx';
import type { NewestContacts } from './use-newest-contacts.ts';

const SEEN_AFTER_MS = 5 * SECOND_MS;
/** docs/product.md#storage-keys. Of the newest contact that was seen, in milliseconds since 1970. */
const SEEN_KEY = 'contacts-seen';
const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

interface NewContactProps {
  readonly newest: NewestContacts;
  readonly onOpen: (contact: Contact) => void;
}

/** Keeps its space, so that nothing moves when the row appears and disappears. */
export function NewContact({ newest, onOpen }: NewContactProps) {
  const [seenTime, setSeenTime] = useState(storedSeenTime);
  const contact = newest.kind === 'ready' ? newest.contacts[0] : undefined;
  const time = contact === undefined ? null : contactTimeMs(contact._id);
  const isNew = time !== null && time > seenTime;
  const setSeen = () => {
    localStorage.setItem(SEEN_KEY, String(time));
    setSeenTime(Number(time));
  };
  return (
    <div className="new-contact">
      {contact && isNew && (
        <Row
          key={contact._id}
          name={contact.name}
          time={time}
          onSeen={setSeen}
          onOpen={() => {
            setSeen();
            // The row is gone when the focus returns.
            document
              .querySelector<HTMLElement>(`#${CONNECTIONS_TITLE_ID}`)
              ?.focus({ preventScroll: true });
            onOpen(contact);
          }}
        />
      )}
    </div>
  );
}

/** In a browser without one, contacts of the last day are new. */
function storedSeenTime(): number {
  return Number(localStorage.getItem(SEEN_KEY) ?? Date.now() - DAY_MS);
}

interface RowProps {
  readonly name: string;
  readonly time: number;
  readonly onSeen: () => void;
  readonly onOpen: () => void;
}

function Row({ name, time, onSeen, onOpen }: RowProps) {
  const [now] = useState(() => Date.now());
  const age = ageText(now - time);
  const row = useRef<HTMLButtonElement>(null);
  const seen = useEffectEvent(onSeen);
  useEffect(() => (row.current ? onceSeen(row.current, () => seen()) : undefined), []);
  return (
    <button ref={row} type="button" aria-label={`${name}, ${age}`} onClick={onOpen}>
      <bdi>{name}</bdi>
      <span className="new-contact-comma">, </span>
      <span>{age}</span>
    </button>
  );
}

function ageText(ageMs: number): string {
  const [unit, unitMs] = UNITS.find(([, length]) => ageMs >= length) ?? [];
  if (unit === undefined) return 'just now';
  return new Intl.RelativeTimeFormat('en-IN', { style: 'short' }).format(
    -Math.floor(ageMs / unitMs),
    unit,
  );
}

/** After five seconds without a break on the screen. Returns a function that ends it. */
function onceSeen(element: Element, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new IntersectionObserver(([entry]) => {
    clearTimeout(timer);
    if (entry?.isIntersecting) timer = setTimeout(callback, SEEN_AFTER_MS);
  });
  const restart = () => {
    clearTimeout(timer);
    observer.disconnect();
    if (document.visibilityState === 'visible') observer.observe(element);
  };
  restart();
  document.addEventListener('visibilitychange', restart);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('visibilitychange', restart);
  };
}
