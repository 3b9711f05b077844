import { ADDED_MAX } from '#contract/contacts-view.ts';
import type { NewOwnContact } from '#contract/contacts-view.ts';
import { isIncompleteLead } from '#domain/lead.ts';
import { OWNER_CACHE } from '#domain/offline.ts';
import { CONTACT_FILE_SIZE_BYTES_MAX, SHARE_TARGET_PATH } from '#domain/share.ts';
import { readCards } from '#web/shared/vcard/cards.ts';
import { toFileText } from '#web/shared/vcard/characters.ts';
import { LEAD_PROPERTIES, isGroup, toLead } from '#web/shared/vcard/lead.ts';

import { createClientId } from './contact-form.tsx';

/** The page can paint and respond after each slice of this length. */
const SLICE_MS = 30;
const NAMES_MAX = 500;
/** Matches the titles of columns. Other formats of address books have colons or brackets in their first line. */
const CSV_LINE = /^[^\r\n:<{[]*[,;\t].*[\r\n]/;
const SAMPLE_BYTES = 2000;
/** Pictures, archives and workbooks contain these characters, and text files do not. */
// eslint-disable-next-line no-control-regex -- control characters are matched on purpose
const BINARY_CHARACTER = /[\0-\x08\x0e-\x1a]/;

export interface ParsedFile {
  readonly cardCount: number;
  /** The people of the file, at most the first 500. */
  readonly people: readonly NewOwnContact[];
  readonly personCount: number;
  /** The `clientId` of each person whose card has no END. The last line of such a card may be incomplete. */
  readonly cutIds: ReadonlySet<string>;
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
  if (file.size > CONTACT_FILE_SIZE_BYTES_MAX)
    return 'This file is too large. Choose one of up to 20 MB.';
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = await readPeople(bytes);
  return read.cardCount === 0 ? describeOtherFormat(bytes) : read;
}

async function readPeople(bytes: Uint8Array): Promise<ParsedFile> {
  const people: NewOwnContact[] = [];
  const leftOut = new Map<string, { count: number; names: string[] }>();
  const cutIds = new Set<string>();
  let [cardCount, personCount, sliceStart] = [0, 0, performance.now()];
  for (const card of readCards(bytes, LEAD_PROPERTIES)) {
    if (performance.now() - sliceStart > SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      sliceStart = performance.now();
    }
    if (card === null) continue;
    cardCount += 1;
    const lead = toLead(card);
    if (isGroup(card) || isIncompleteLead(lead)) {
      const reason = isGroup(card) ? 'a group' : 'no mobile or email';
      const others = leftOut.get(reason) ?? { count: 0, names: [] };
      leftOut.set(reason, others);
      others.count += 1;
      if (others.names.length < NAMES_MAX) others.names.push(lead.name || `Card ${cardCount}`);
      continue;
    }
    personCount += 1;
    if (personCount > ADDED_MAX) continue;
    const person = { ...lead, clientId: createClientId(), tags: [], source: 'imported' as const };
    people.push(person);
    if (card.isCut) cutIds.add(person.clientId);
  }
  return { cardCount, people, personCount, cutIds, leftOut };
}

function describeOtherFormat(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'This file is empty.';
  const start = new TextDecoder().decode(toFileText(bytes.subarray(0, SAMPLE_BYTES)).bytes);
  return CSV_LINE.test(start) && !BINARY_CHARACTER.test(start)
    ? 'This is a CSV file. Export the contacts as vCard (.vcf) instead, and choose that file.'
    : 'This is not a vCard file. Export the contacts as vCard (.vcf), and choose that file.';
}
