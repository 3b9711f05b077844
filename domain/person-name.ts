const TITLE = /^(?:dr|adv|prof|shri|smt|mrs?|ms)\.?$/i;
/** In the other languages of the product, in NFC. */
const OTHER_TITLE =
  /^(?:(?:डॉ|डा|डॉक्टर|प्रो|श्री|श्रीमती|सुश्री|டாக்டர்|திரு|திருமதி|డా|డాక్టర్|శ్రీ|శ్రీమతి|ಡಾ|ಡಾಕ್ಟರ್|ಶ್ರೀ|ಶ್ರೀಮತಿ|ഡോ|ശ്രീ|ശ്രീമതി|ডা|ডঃ|ডক্টর|শ্রী|শ্রীমতী|ડૉ|ડો|ડોક્ટર|શ્રી|શ્રીમતી|ਡਾ|ਡਾਕਟਰ|ਸ੍ਰੀ|ਸ਼੍ਰੀ|ਸ੍ਰੀਮਤੀ|ଡା|ଡଃ|ଡକ୍ଟର|ଶ୍ରୀ|ଶ୍ରୀମତୀ|ڈاکٹر|پروفیسر|جناب|محترمہ)\.?|ড\.)$/;
/** In other letters these are names. */
const CAPITAL_TITLE = /^C[AS]\.?$/;
const SUFFIX = /^(?:[Jj]r|[Ss]r|JR|SR|III?|IV)\.?$/;

/** Titles that stand alone are the name (docs/product.md#contact-file). */
export function splitName(name: string) {
  const words = name.trim().split(/\s+/);
  const start = Math.max(
    0,
    words.findIndex((word) => !isTitle(word)),
  );
  const prefix = words.splice(0, start).join(' ');
  const suffix = words.length > 1 && SUFFIX.test(words.at(-1) ?? '') ? words.pop() : '';
  return { prefix, words, suffix: suffix ?? '' };
}

const isTitle = (word: string) =>
  TITLE.test(word) || CAPITAL_TITLE.test(word) || OTHER_TITLE.test(word);
