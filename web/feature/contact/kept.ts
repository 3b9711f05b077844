import type { OwnContact } from '#contract/contacts-view.ts';
import { searchText, searchWords } from '#domain/contact-search.ts';

import { readLastContacts } from '#web/shared/profile/last-contacts.ts';

import type { ContactQuery, FoundContacts } from './query.ts';

/** Of the contacts that the browser keeps; null if there are none. */
export async function findKept(query: ContactQuery): Promise<FoundContacts | null> {
  const kept = await readLastContacts();
  if (!kept) return null;
  const { asOf, page } = kept;
  return { ...page, heldCount: 0, asOf, query, contacts: searchKept(page.contacts, query) };
}

/** Finds and sorts as the server does. */
export function searchKept(
  contacts: readonly OwnContact[],
  { search, tag, order }: ContactQuery,
): OwnContact[] {
  const alternatives = searchWords(search);
  const found = contacts
    .map((contact) => ({ contact, text: searchText(contact, contact.tags) }))
    .filter(
      ({ contact: { tags }, text }) =>
        (tag === '' || tags.includes(tag)) &&
        (search === '' || alternatives.some((words) => words.every((word) => text.includes(word)))),
    );
  if (order === 'name') found.sort((one, other) => (one.text < other.text ? -1 : 1));
  return found.map(({ contact }) => contact);
}
