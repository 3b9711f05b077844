import type { Key } from '#server/environment/key.ts';

const PLACE = '{code}';

/**
 * The message's text. In India it is a registered template (DLT) and must match it to the letter,
 * so it is the operator's to say, and there is no default.
 */
export const MESSAGE_TEXT: Key = {
  pattern: /\{code\}/,
  must: `must hold ${PLACE} where the code stands`,
};

/** The same, where a gateway may have its own text; '' is none. */
export const OPTIONAL_TEXT: Key = { ...MESSAGE_TEXT, pattern: /^$|\{code\}/, fallback: '' };

/** The text with the code in it. */
export function textWithCode(text: string, code: string): string {
  return text.replaceAll(PLACE, code);
}
