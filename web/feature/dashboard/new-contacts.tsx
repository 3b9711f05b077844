import { useEffect } from 'react';
import type { RefObject } from 'react';
import { Link } from 'react-router';

import type { Contact } from '#contract/contact.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { PATHS } from '#domain/path.ts';
import { settings } from '#web/shared/http/settings.ts';
import { markSeen, useNewCount } from '#web/shared/contact/seen.ts';

import { NEW_COUNT_MAX, useLastNewest } from './use-connections.ts';

const TITLE_ID = 'connections-title';
const LOOK_MS = 2 * SECOND_MS;
/** The actions at the lower edge of a phone cover it. */
const COVERED = '0px 0px -96px';

const hasView = () => settings().views.includes('contacts');
const countText = (count: number) => (count < NEW_COUNT_MAX ? `${count}` : `${NEW_COUNT_MAX - 1}+`);

/** Until the list or the Contacts view is looked at. */
export function NewChip() {
  const count = useNewCount(useLastNewest());
  if (count === 0) return null;
  const text = `${countText(count)} new`;
  return hasView() ? (
    <Link className="new-chip" to={PATHS.contacts}>
      {text}
    </Link>
  ) : (
    <a className="new-chip" href={`#${TITLE_ID}`}>
      {text}
    </a>
  );
}

/** At an entry of the menu, which it describes. */
export function MenuCount({ id }: { readonly id: string }) {
  const count = useNewCount(useLastNewest());
  if (count === 0 || !hasView()) return null;
  return (
    <span id={id} className="sidebar-count" aria-hidden="true">
      {countText(count)}
      <span className="visually-hidden"> new</span>
    </span>
  );
}

/** The contacts are seen once `list` has been in view for two seconds. */
export function useLook(list: RefObject<HTMLElement | null>, contacts: readonly Contact[]): void {
  const count = useNewCount(contacts);
  useEffect(() => {
    if (count === 0 || !list.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer);
        if (entry?.isIntersecting) timer = setTimeout(() => markSeen(contacts), LOOK_MS);
      },
      { rootMargin: COVERED },
    );
    observer.observe(list.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [list, contacts, count]);
}
