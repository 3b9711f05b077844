import type { OwnContact, findContacts } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';

export interface ContactQuery {
  readonly search: string;
  /** '' for all contacts. */
  readonly tag: string;
  readonly order: 'newest' | 'name';
}

export interface FoundContacts extends Reply<typeof findContacts> {
  readonly query: ContactQuery;
  /** Of the browser's copy, because there is no network: when it was stored, as an ISO time. */
  readonly asOf?: string;
}

export const isAll = ({ search, tag }: ContactQuery): boolean => search === '' && tag === '';

/** Whether the owner has no contacts at all. Those that were just deleted are hidden. */
export const isNone = (
  found: FoundContacts | null,
  isHidden: (contact: OwnContact) => boolean,
): boolean =>
  found !== null &&
  isAll(found.query) &&
  found.next === '' &&
  found.heldCount === 0 &&
  found.contacts.every(isHidden);

/** The counts after a contact got other tags. */
export function withTags(
  { tags, contacts }: Pick<FoundContacts, 'tags' | 'contacts'>,
  id: string,
  added: readonly string[] | undefined,
): FoundContacts['tags'] {
  const removed = contacts.find(({ _id }) => _id === id)?.tags;
  if (added === undefined || removed === undefined) return tags;
  const counts = new Map(tags.map(({ tag, count }) => [tag, count]));
  for (const tag of removed) counts.set(tag, (counts.get(tag) ?? 0) - 1);
  for (const tag of added) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return Array.from(counts, ([tag, count]) => ({ tag, count })).filter(({ count }) => count > 0);
}

export function isSame(one: ContactQuery | null | undefined, other: ContactQuery): boolean {
  return one?.search === other.search && one.tag === other.tag && one.order === other.order;
}
