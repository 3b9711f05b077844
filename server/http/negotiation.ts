/** The supported content encodings, the preferred one first. */
export type Encoding = 'br' | 'gzip' | 'identity';

/**
 * Lower than any weight that a header can contain, so identity is chosen last if the header does
 * not name it.
 */
const IDENTITY_WEIGHT = 0.0001;
/** The most headers in the cache: browsers send few different ones. */
const CACHED_MAX = 64;
const cache = new Map<string, Encoding>();

/**
 * Returns the encoding that an Accept-Encoding header prefers (RFC 9110, section 12.5.3). With equal
 * weights, brotli precedes gzip. Returns 'identity' by default and if the header excludes all.
 */
export function chooseEncoding(accepted = ''): Encoding {
  const cached = cache.get(accepted);
  if (cached) return cached;
  const encoding = negotiate(accepted);
  if (cache.size < CACHED_MAX) cache.set(accepted, encoding);
  return encoding;
}

function negotiate(accepted: string): Encoding {
  const weights = new Map(accepted.toLowerCase().split(',').map(readWeight));
  const other = weights.get('*') ?? 0;
  const candidates: [Encoding, number][] = [
    ['br', weights.get('br') ?? other],
    ['gzip', weights.get('gzip') ?? other],
    ['identity', weights.get('identity') ?? IDENTITY_WEIGHT],
  ];
  let [best, bestWeight]: [Encoding, number] = ['identity', 0];
  for (const [encoding, weight] of candidates) {
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

/** Reads one element, such as `gzip;q=0.5`. A weight that is not a number counts as 0. */
function readWeight(element: string): [name: string, weight: number] {
  const [name = '', ...parameters] = element.split(';').map((text) => text.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, quality === undefined ? 1 : Number(quality.slice('q='.length)) || 0];
}
