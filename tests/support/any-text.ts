import * as fc from 'fast-check';

const SURROGATES_START = 0xd800;
const SURROGATES_COUNT = 0x800;
const CODE_POINT_MAX = 0x10ffff;
/** Up to here are the Latin, Greek, Cyrillic, Hebrew, Arabic and Indic scripts, and general punctuation. */
const COMMON_MAX = 0x2fff;

/** Generates any code point but a surrogate. Half of them come from common scripts. */
const character = fc
  .oneof(fc.nat(COMMON_MAX), fc.nat(CODE_POINT_MAX - SURROGATES_COUNT))
  .map((n) => String.fromCodePoint(n < SURROGATES_START ? n : n + SURROGATES_COUNT));

/** The unit 'binary' of fast-check generates the same characters, but takes a second to prepare. */
export function anyText(lengthMax: number): fc.Arbitrary<string> {
  return fc.string({ unit: character, maxLength: lengthMax });
}
