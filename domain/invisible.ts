/* The script of the public page imports this file, so it has no schemas, which would add a library. */

/** `DI` is Default_Ignorable_Code_Point. U+2800, a Braille pattern without dots, is in no such class. */
const INVISIBLE = /[\p{DI}\p{Cf}\u2800]/gu;
const INVISIBLE_OR_SPACE = /[\p{DI}\p{Cf}\u2800\s]/gu;

/**
 * Returns the text without these characters. It is for emails, phones, links, codes and other identifiers,
 * because chats and address books add such characters when they copy. Names and free text keep them: Indic
 * scripts and emoji need joiners.
 */
export const dropInvisible = (text: string): string => text.replace(INVISIBLE, '');

const visibleOf = (text: string) => text.replace(INVISIBLE_OR_SPACE, '');

export const isBlank = (text: string): boolean => !visibleOf(text);

/** Returns whether a field whose length is limited has lost the end of a pasted text. */
export const isPasteTruncated = (value: string, pasted: string): boolean =>
  !visibleOf(value).includes(visibleOf(pasted));
