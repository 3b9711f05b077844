import * as z from 'zod/mini';

import { SECOND_MS } from './duration.ts';
import { multiLineText, singleLineText } from './text.ts';

// The note and the tags of a contact, which its owner writes (docs/product.md#contacts-view).
export const NOTE_LENGTH_MAX = 2000;
export const TAG_LENGTH_MAX = 40;
export const TAGS_MAX = 10;

/** How long 'Undo' is shown after a contact was deleted. */
export const UNDO_MS = 10 * SECOND_MS;
/** How long a deleted contact can be restored: longer than 'Undo', for slow connections. */
export const RESTORE_MS = 2 * UNDO_MS;

export const noteSchema = multiLineText(NOTE_LENGTH_MAX);

/** The tags of a contact: trimmed, without empty and repeated ones. */
export const tagsSchema = z.pipe(
  z
    .array(singleLineText(TAG_LENGTH_MAX), 'must be a list')
    .check(z.maxLength(TAGS_MAX, `must be at most ${TAGS_MAX}`)),
  z.transform((tags) => [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== '')),
);
