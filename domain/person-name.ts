const TITLE = /^(?:dr|adv|prof|shri|smt|mrs?|ms)\.?$/i;
/** In other letters these are names. */
const CAPITAL_TITLE = /^C[AS]\.?$/;
const SUFFIX = /^(?:[Jj]r|[Ss]r|JR|SR|III?|IV)\.?$/;

interface PersonName {
  /** As typed, such as 'Prof. Dr.'; '' for none. */
  readonly prefix: string;
  readonly words: readonly string[];
  /** As typed; '' for none. */
  readonly suffix: string;
}

/** Titles that stand alone are the name (docs/product.md#contact-file). */
export function splitName(name: string): PersonName {
  const words = name.trim().split(/\s+/);
  const start = Math.max(
    0,
    words.findIndex((word) => !isTitle(word)),
  );
  const prefix = words.splice(0, start).join(' ');
  const suffix = words.length > 1 && SUFFIX.test(words.at(-1) ?? '') ? words.pop() : '';
  return { prefix, words, suffix: suffix ?? '' };
}

const isTitle = (word: string) => TITLE.test(word) || CAPITAL_TITLE.test(word);
