/* Hashing and drawing of numbers from a text. For looks alone: nothing here is a secret. */

const FNV_PRIME = 0x01000193;
/** First 32-bit fractions of the square roots of 2, 3, 5 and 7. */
const STARTS = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a] as const;
const UINT32 = 2 ** 32;
const WARM_UP_ROUNDS = 12;

/**
 * A row of numbers from 0 up to 1 that a text decides: sfc32 on 128 bits of the text's hash, so
 * that thousands of texts do not meet by chance. The same on every platform.
 */
export function seededRandom(text: string): () => number {
  let [a, b, c, counter] = [hash(text, 0), hash(text, 1), hash(text, 2), hash(text, 3)];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / UINT32;
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) next();
  return next;
}

/** FNV-1a over UTF-16 units from one of four starts, stirred at the end. */
function hash(text: string, start: 0 | 1 | 2 | 3): number {
  let value = STARTS[start] | 0;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), FNV_PRIME);
    value ^= value >>> 15;
  }
  return value | 0;
}
