import * as z from 'zod/mini';

import { SECOND_MS } from './duration.ts';
import { multiLineText, singleLineText } from './text.ts';

export const NOTE_LENGTH_MAX = 2000;
export const TAG_LENGTH_MAX = 40;
export const TAGS_MAX = 10;

export const UNDO_MS = 10 * SECOND_MS;
/** The server accepts an 'Undo' for longer than it is shown, because connections can be slow. */
export const RESTORE_MS = 2 * UNDO_MS;

export const noteSchema = multiLineText(NOTE_LENGTH_MAX);

/**
 * Returns the note to store. `base` is the stored note on which `typed` is based. If another device has stored a
 * different note since then, the result contains both, so neither is lost.
 */
export function mergeNotes(typed: string, base: string, stored: string): string {
  // The reply to an earlier save may have been lost, while the owner went on typing.
  if (stored === base || typed.startsWith(stored.trim())) return typed;
  if (stored.includes(typed)) return stored;
  return `${stored}\n${typed.startsWith(base) ? typed.slice(base.length).trim() : typed}`;
}

/**
 * Returns `typed` with what another device has added to `base` and removed from it in `stored`. Values are compared
 * as JSON.
 */
export function mergeLists<Value>(
  typed: readonly Value[],
  base: readonly Value[],
  stored: readonly Value[],
): Value[] {
  const isTyped = createLookup(typed);
  const wasBefore = createLookup(base);
  const isStored = createLookup(stored);
  return [
    ...typed.filter((one) => isStored(one) || !wasBefore(one)),
    ...stored.filter((one) => !wasBefore(one) && !isTyped(one)),
  ];
}

function createLookup(list: readonly unknown[]): (value: unknown) => boolean {
  const texts = new Set(list.map((one) => JSON.stringify(one)));
  return (value) => texts.has(JSON.stringify(value));
}

export const tagsSchema = z.pipe(
  z
    .array(singleLineText(TAG_LENGTH_MAX), 'must be a list')
    .check(z.maxLength(TAGS_MAX, `must be at most ${TAGS_MAX}`)),
  z.transform((tags) => [...new Set(tags)].filter((tag) => tag !== '')),
);

/** A contact's id starts with the milliseconds since 1970 of its arrival. */
export const CONTACT_ID_RADIX = 36;
/** Nine digits are enough until the year 5188. */
export const CONTACT_TIME_DIGITS = 9;

export function contactTimeMs(id: string): number | null {
  const digits = id.slice(0, CONTACT_TIME_DIGITS);
  if (!/^[0-9a-z]{9}$/.test(digits)) return null;
  return parseInt(digits, CONTACT_ID_RADIX);
}

export function contactTimeDigits(time: number): string {
  return Math.max(0, time).toString(CONTACT_ID_RADIX).padStart(CONTACT_TIME_DIGITS, '0');
}
