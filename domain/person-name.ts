/** The list has titles in all languages of the product, in NFC. */
const TITLES =
  'dr|adv|prof|shri|smt|mrs?|ms|miss|mx|er|capt|col|डॉ|डा|डॉक्टर|प्रो|श्री|श्रीमती|सुश्री|டாக்டர்|திரு|திருமதி|డా|డాక్టర్|శ్రీ|శ్రీమతి|ಡಾ|ಡಾಕ್ಟರ್|ಶ್ರೀ|ಶ್ರೀಮತಿ|ഡോ|ശ്രീ|ശ്രീമതി|ডা|ডঃ|ডক্টর|শ্রী|শ্রীমতী|ડૉ|ડો|ડોક્ટર|શ્રી|શ્રીમતી|ਡਾ|ਡਾਕਟਰ|ਸ੍ਰੀ|ਸ਼੍ਰੀ|ਸ੍ਰੀਮਤੀ|ଡା|ଡଃ|ଡକ୍ଟର|ଶ୍ରୀ|ଶ୍ରୀମତୀ|ڈاکٹر|پروفیسر|جناب|محترمہ';
/** Without a dot these are names or initials. */
const DOTTED_TITLES = 'ar|ca|cs|ड';
const TITLE = new RegExp(`^(?:(?:${TITLES})\\.?|(?:${DOTTED_TITLES})\\.)$`, 'i');
/** In any other letter case these are names. */
const CAPITAL_TITLE = /^C[AS]$/;
/** Matches the titles in 'Dr.Rohan', 'Prof.Dr.Rohan' and 'DrRohan'. */
const TITLES_WITHOUT_SPACE = new RegExp(`^(?:(?:${TITLES}|${DOTTED_TITLES})\\.\\s*)+`, 'i');
const TITLE_WITHOUT_SPACE = /^(Dr|Adv|Prof|Shri|Smt|Mrs?|Ms)(?=\p{Lu}\p{Ll})/u;

const SUFFIX = /^(?:[Jj]r|[Ss]r|JR|SR|III?|IV)$/;
/** These degrees and services are names or words if their letter case is different. */
const CREDENTIAL_IN_EXACT_CASE =
  /^(?:C[AS]|CMA|CFA|CFP|CPA|[AF]C[AS]|A?ICWA|MD|MS|DM|DNB|DDS|[BM]E|[BM]A|E?MBA|BBA|[BM]Ed|[BM]Arch|[BM]Des|[BM]FA|MSW|JD|PE|RN|PMP|CISA|Esq|Retd|I[APFR]S)$/;
const CREDENTIAL_IN_ANY_CASE =
  /^(?:mbbs|[bm]ds|bams|bhms|[bm]pt|mch|[fm]rc[ps]|phd|[md]phil|dlitt|ll[bmd]|[bm]tech|[bm]com|[bm]sc|[bm]ca|[bm]pharm|pharmd|[bm]vsc|pgd\w{1,3}|cissp)$/i;
/** A name has a vowel, so capitals without one are a degree. */
const VOWELLESS_CAPITALS = /^[B-DF-HJ-NP-TV-XZ]{3,}$/;

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
  const firstName = tokens.findIndex((token) => isWord(token) && !isTitle(token));
  const start = firstName === -1 ? firstWord : firstName;
  const separator = tokens.findIndex((token, index) => index > start && SEPARATOR.test(token));
  let end = separator === -1 ? tokens.length : separator;
  while (end > start + 1 && !isPartOfName(tokens[end - 1] ?? '')) end -= 1;
  return {
    prefix: join(tokens.slice(0, start)),
    words: tokens.slice(start, end),
    suffix: join(tokens.slice(end)),
  };
}

const join = (tokens: readonly string[]) =>
  tokens.filter((token) => !SEPARATOR.test(token)).join(' ');

/** Adds spaces beside emoji and after titles. */
function insertSpaces(name: string): string {
  return name
    .replace(EMOJI, ' $& ')
    .trim()
    .replace(TITLES_WITHOUT_SPACE, (titles) => titles.replaceAll('.', '. '))
    .replace(TITLE_WITHOUT_SPACE, '$1 ');
}

const isWord = (token: string) => /\p{L}/u.test(token) && !OPENING_BRACKET.test(token);

const isTitle = (word: string) => TITLE.test(word) || CAPITAL_TITLE.test(word);

const isPartOfName = (token: string) => isWord(token) && !token.split('/').every(isCredential);

function isCredential(word: string): boolean {
  const letters = word.replaceAll('.', '');
  return [SUFFIX, CREDENTIAL_IN_EXACT_CASE, CREDENTIAL_IN_ANY_CASE, VOWELLESS_CAPITALS].some(
    (form) => form.test(letters),
  );
}
