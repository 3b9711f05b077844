import type { findContacts } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';

export interface ContactQuery {
  readonly search: string;
  /** '' for all contacts. */
  readonly tag: string;
  readonly order: 'newest' | 'name';
}

export interface FoundContacts extends Reply<typeof findContacts> {
  readonly query: ContactQuery;
  /** When the answer was loaded, as an ISO time: it is shown as last seen, because there is no network. */
  readonly asOf?: string | undefined;
}

export const isAll = ({ search, tag }: ContactQuery): boolean => search === '' && tag === '';

/** Whether the owner has no contacts at all. */
export const isNone = (found: FoundContacts | null): boolean =>
  found !== null &&
  isAll(found.query) &&
  found.next === '' &&
  found.heldCount === 0 &&
  found.contacts.length === 0;

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
