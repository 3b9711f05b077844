/** The list has titles in all languages of the product, in NFC. */
const TITLES =
  'dr|doctor|adv|advocate|prof|professor|shri|smt|mrs?|ms|miss|mx|er|capt|lt|col|c\\.a|डॉ|डा|डॉक्टर|प्रो|प्रा|श्री|श्रीमती|श्रीमति|सुश्री|सौ|कु|पं|एड|एडवोकेट|ॲड|अॅड|டாக்டர்|திரு|திருமதி|డా|డాక్టర్|శ్రీ|శ్రీమతి|ಡಾ|ಡಾಕ್ಟರ್|ಶ್ರೀ|ಶ್ರೀಮತಿ|ഡോ|ശ്രീ|ശ്രീമതി|ডা|ডঃ|ডক্টর|শ্রী|শ্রীমতী|ડૉ|ડો|ડોક્ટર|શ્રી|શ્રીમતી|ਡਾ|ਡਾਕਟਰ|ਸ੍ਰੀ|ਸ਼੍ਰੀ|ਸ੍ਰੀਮਤੀ|ଡା|ଡଃ|ଡକ୍ଟର|ଶ୍ରୀ|ଶ୍ରୀମତୀ|ڈاکٹر|پروفیسر|جناب|محترمہ';
/** Without a dot these are names or initials. */
const DOTTED_TITLES = 'ar|ca|cs|sri|kum|maj|gen|brig|cdr|wg|gp|sqn|flt|rev|fr|sr|pt|engr|hon|ड|د';
/** In Hindi a zero can stand for the dot. */
const TITLE = new RegExp(`^(?:(?:${TITLES})[.०]?|(?:${DOTTED_TITLES})\\.)$`, 'i');
const AND = /^and$/i;
/** In any other letter case these are names. */
const CAPITAL_TITLE = /^C[AS]$/;
/** Matches the titles in 'Dr.Rohan', 'Prof.Dr.Rohan' and 'DrRohan'. */
const TITLES_WITHOUT_SPACE = new RegExp(`^(?:(?:${TITLES}|${DOTTED_TITLES})[.०][\\s/]*)+`, 'i');
/**
 * Matches a dot that gets a space after it. The first dot of 'C.A.' and the dot before the slash of 'Dr./Mr.'
 * get none.
 */
const DOT_OF_TITLE = /(?<!\bc)[.०](?!\s*\/)/gi;
const TITLE_WITHOUT_SPACE = /^(Dr|Adv|Prof|Shri|Smt|Mrs?|Ms)(?=\p{Lu}\p{Ll})/u;

const SUFFIX = /^(?:[Jj]r|[Ss]r|JR|SR|III?|IV)$/;
/** These degrees and services are names or words if their letter case is different. */
const CREDENTIAL_IN_EXACT_CASE =
  /^(?:C[AS]|CMA|CFA|CFP|CPA|[AF]C[AS]|A?ICWA|MD|MS|DM|DNB|DDS|[BM]E|[BM]A|E?MBA|BBA|[BM]Ed|[BM]Arch|[BM]Des|[BM]FA|MSW|JD|PE|RN|PMP|CISA|Esq|Retd|I[APFR]S)$/;
const CREDENTIAL_IN_ANY_CASE =
  /^(?:mbbs|[bm]ds|bams|bhms|[bm]pt|mch|[fm]rc[ps]|phd|[md]phil|dlitt|ll[bmd]|[bm]tech|[bm]com|[bm]sc|[bm]ca|[bm]pharm|pharmd|[bm]vsc|pgd\w{1,3}|cissp)$/i;
/** The longest degree that is written with spaces is 'M. B. B. S.'. */
const DEGREE_PARTS_MAX = 4;
/** A name has a vowel, so capitals without one are a degree. */
const VOWELLESS_CAPITALS = /^[B-DF-HJ-NP-TV-XZ]{3,}$/;

const FAMILY_FIRST = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Hangul}]+$/u;

const EMOJI =
  /[\p{So}\p{Extended_Pictographic}](?:[\p{So}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\u200d|\ufe0f|\u20e3)*/gu;
/** A token is a text in brackets, a separator or a word. */
const TOKEN = /[([{][^)\]}]*[)\]}]?|[,;|•·]|[^\s,;|•·([{]+/gu;
const SEPARATOR = /^[,;|•·/\-–—]$/;
const OPENING_BRACKET = /^[([{"“]/;

/**
 * Splits a name into its words, the titles before them, and the suffixes, degrees, emoji and texts in brackets
 * around them. A title that stands alone is the name (docs/develop/product.md#contact-file).
 */
export function splitName(name: string) {
  const tokens = insertSpaces(name).match(TOKEN) ?? [];
  const firstWord = tokens.findIndex(isWord);
  if (firstWord === -1) return { prefix: '', words: [name.trim()], suffix: '' };
  const firstName = tokens.findIndex(
    (token, index) => isWord(token) && !isTitle(token) && !joinsTitles(tokens, index),
  );
  const start = firstName === -1 ? firstWord : firstName;
  const separator = tokens.findIndex((token, index) => index > start && SEPARATOR.test(token));
  let end = separator === -1 ? tokens.length : separator;
  let count = 0;
  do {
    count = countSuffixTokens(tokens.slice(start, end));
    end -= count;
  } while (count > 0);
  return {
    prefix: join(tokens.slice(0, start)),
    words: tokens.slice(start, end),
    suffix: join(tokens.slice(end)),
  };
}

/** Returns whether a name is in a script in which the family name comes first. A name in Katakana is often foreign. */
export const isFamilyFirst = (name: string): boolean => FAMILY_FIRST.test(name);

const join = (tokens: readonly string[]) =>
  tokens.filter((token) => !SEPARATOR.test(token)).join(' ');

/** Adds spaces beside emoji and after titles. */
function insertSpaces(name: string): string {
  return name
    .replace(EMOJI, ' $& ')
    .trim()
    .replace(TITLES_WITHOUT_SPACE, (titles) => titles.replace(DOT_OF_TITLE, '$& '))
    .replace(TITLE_WITHOUT_SPACE, '$1 ');
}

const isWord = (token: string) => /\p{L}/u.test(token) && !OPENING_BRACKET.test(token);

const isTitle = (word: string) =>
  word.split('/').every((title) => title === '' || TITLE.test(title) || CAPITAL_TITLE.test(title));

/** Returns whether a token is the 'and' of 'Mr. and Mrs. Shah'. */
const joinsTitles = (tokens: readonly string[], index: number) =>
  AND.test(tokens[index] ?? '') &&
  [tokens[index - 1], tokens[index + 1]].every((token) => token !== undefined && isTitle(token));

const isPartOfName = (token: string) => isWord(token) && !token.split('/').every(isCredential);

/** Returns how many tokens at the end of a name are one suffix. The first token is always a part of the name. */
function countSuffixTokens(tokens: readonly string[]): number {
  if (tokens.length > 1 && !isPartOfName(tokens.at(-1) ?? '')) return 1;
  for (let count = DEGREE_PARTS_MAX; count > 1; count -= 1)
    if (isSpacedDegree(tokens.slice(-count), tokens.length - count)) return count;
  return 0;
}

/**
 * Returns whether the parts are one degree. Single letters, as in 'M. S.', are taken as initials if they have
 * no dots, or if only one word stands before them.
 */
function isSpacedDegree(parts: readonly string[], wordsBefore: number): boolean {
  const letters = parts.map((part) => part.replace(/\.$/, ''));
  const isInitials = letters.every((part) => part.length === 1);
  const isDotted = parts.every((part) => part.endsWith('.'));
  if (wordsBefore < 1 || (isInitials && (wordsBefore < 2 || !isDotted))) return false;
  const isShortAtStart = letters.slice(0, -1).every((part) => part.length <= 2);
  return isShortAtStart && isDegree(letters.join(''));
}

const isDegree = (letters: string) =>
  CREDENTIAL_IN_EXACT_CASE.test(letters) || CREDENTIAL_IN_ANY_CASE.test(letters);

function isCredential(word: string): boolean {
  const letters = word.replaceAll('.', '');
  return SUFFIX.test(letters) || isDegree(letters) || VOWELLESS_CAPITALS.test(letters);
}
