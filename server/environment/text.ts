import { hasForbiddenCharacter } from '#domain/text.ts';

import type { Means } from './reader.ts';

const WORDS_LENGTH_MAX = 60;
// What can stand in a mailto: link as it is.
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*$/;

/** Readers of texts, some of which stand on the pages. */
export function textReaders({ given, refuse }: Means) {
  return {
    text: (name: string, fallback: string) => given(name) ?? fallback,

    /** A name that stands within a sentence. */
    words(name: string, fallback: string): string {
      const text = given(name) ?? fallback;
      const fits =
        text.length <= WORDS_LENGTH_MAX && !text.includes('\n') && !hasForbiddenCharacter(text);
      return fits
        ? text
        : refuse(name, `must be one line of at most ${WORDS_LENGTH_MAX} characters`);
    },

    email(name: string, fallback: string): string {
      const text = given(name) ?? fallback;
      return EMAIL.test(text) ? text : refuse(name, 'must be an e-mail address');
    },
  };
}
