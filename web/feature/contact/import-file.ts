import { ADDED_MAX } from '#contract/contacts-view.ts';
import type { NewOwnContact } from '#contract/contacts-view.ts';
import { isIncompleteLead } from '#domain/lead.ts';
import { OWNER_CACHE } from '#domain/offline.ts';
import { SHARE_TARGET_PATH } from '#domain/share.ts';
import { readCardFile } from '#web/shared/vcard/file.ts';
import { LEAD_PROPERTIES, isGroup, toLead } from '#web/shared/vcard/lead.ts';

import { createClientId } from './contact-form.tsx';

const NAMES_MAX = 500;
export interface ParsedFile {
  readonly cardCount: number;
  /** The people of the file, at most the first 500. */
  readonly people: readonly NewOwnContact[];
  readonly personCount: number;
  /** The `clientId` of each person whose card has no END. The last line of such a card may be incomplete. */
  readonly cutIds: ReadonlySet<string>;
  /** Whether anybody has more than the one phone and the one email that a contact keeps. */
  readonly hasMore: boolean;
  /** The cards that are left out, grouped by the reason. */
  readonly leftOut: ReadonlyMap<string, { count: number; readonly names: string[] }>;
}

/** Removes and returns the file that the service worker has received, or returns null if there is none. */
export async function takeSharedFile(): Promise<Blob | null> {
  // Over plain HTTP, browsers have no caches.
  if (!('caches' in globalThis)) return null;
  const cache = await caches.open(OWNER_CACHE);
  const response = await cache.match(SHARE_TARGET_PATH);
  await cache.delete(SHARE_TARGET_PATH);
  return (await response?.blob()) ?? null;
}

/** Returns the contents of a file, or a sentence that says why it cannot be imported. */
export async function readFile(file: Blob | null): Promise<ParsedFile | string> {
  if (file === null) return 'Choose the file again.';
  const people: NewOwnContact[] = [];
  const leftOut = new Map<string, { count: number; names: string[] }>();
  const cutIds = new Set<string>();
  let [cardCount, personCount] = [0, 0];
  let hasMore = false;
  const problem = await readCardFile(file, LEAD_PROPERTIES, (card) => {
    cardCount += 1;
    const lead = toLead(card);
    if (isGroup(card) || isIncompleteLead(lead)) {
      const reason = isGroup(card) ? 'a group' : 'no mobile or email';
      const others = leftOut.get(reason) ?? { count: 0, names: [] };
      leftOut.set(reason, others);
      others.count += 1;
      if (others.names.length < NAMES_MAX) others.names.push(lead.name || `Card ${cardCount}`);
      return;
    }
    personCount += 1;
    if (personCount > ADDED_MAX) return;
    const person = { ...lead, clientId: createClientId(), tags: [], source: 'imported' as const };
    people.push(person);
    hasMore ||= ['TEL', 'EMAIL'].some(
      (wanted) => card.properties.filter(({ name }) => name === wanted).length > 1,
    );
    if (card.isCut) cutIds.add(person.clientId);
  });
  return problem || { cardCount, people, personCount, cutIds, hasMore, leftOut };
}
