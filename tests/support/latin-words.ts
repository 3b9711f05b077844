/** Names of networks and products and acronyms stay in Latin letters (docs/develop/languages.md). */
const LATIN_WORDS =
  /\b(?:Tessera|English|QR|UPI|GSTIN|SMS|OTP|NFC|Whats[Aa]pp|Instagram|LinkedIn|Pinterest|Facebook|YouTube|Snapchat|Behance|X|Dribbble)\b/g;

/** Returns the lines of a text that contain other Latin letters. Ignores `written`, the texts of a person. */
export function latinLines(text: string, written: readonly string[] = []): readonly string[] {
  const rest = written
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, words) => left.replaceAll(words, ''), text);
  return rest.replace(LATIN_WORDS, '').match(/.*[A-Za-z].*/g) ?? [];
}
