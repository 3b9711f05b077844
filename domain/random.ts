/* These numbers make patterns. Secrets need a cryptographic generator. */

const FNV_PRIME = 0x01000193;
/** The first 32 bits of the fractions of the square roots of 2, 3, 5 and 7. */
const INITIAL_VALUES = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a] as const;
const UINT32 = 2 ** 32;
const WARM_UP_ROUNDS = 12;

/** Runs sfc32 from 128 bits of the text's hash, so that different texts do not collide. */
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

function hash(text: string, start: 0 | 1 | 2 | 3): number {
  let value = INITIAL_VALUES[start] | 0;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), FNV_PRIME);
    value ^= value >>> 15;
  }
  return value | 0;
}
