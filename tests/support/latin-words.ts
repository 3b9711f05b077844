/** Stay in Latin letters: names of networks and products, acronyms (docs/languages.md). */
const LATIN_WORDS =
  /\b(?:Tessera|English|QR|UPI|GSTIN|SMS|OTP|NFC|Whats[Aa]pp|Instagram|LinkedIn|Pinterest|Facebook|YouTube|Snapchat|Behance|X|Dribbble)\b/g;

/** The lines of a text that have other Latin letters, without what a person wrote. */
export function latinLines(text: string, written: readonly string[] = []): readonly string[] {
  const rest = written
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, words) => left.replaceAll(words, ''), text);
  return rest.replace(LATIN_WORDS, '').match(/.*[A-Za-z].*/g) ?? [];
}
