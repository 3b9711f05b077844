export type Encoding = 'br' | 'gzip' | 'identity';

/** Lower than any weight in a header. */
const IDENTITY_WEIGHT = 0.0001;
const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;
/** A number that is exact in JavaScript and in both databases. */
const VERSION = /^(0|[1-9]\d{0,14})(?:-(?:br|gzip))?$/;
/** The If-Match value that matches every version. */
export const ANY_VERSION = '*';

/**
 * RFC 9110, section 12.5.3. Brotli precedes gzip; 'identity' by default and if all are excluded.
 */
export function chooseEncoding(accepted = ''): Encoding {
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

export function readWeight(element: string): [name: string, weight: number] {
  const [name = '', ...parameters] = element.split(';').map((text) => text.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, quality === undefined ? 1 : Number(quality.slice('q='.length)) || 0];
}

export function versionEtag(version: number): string {
  return `"${version}"`;
}

/**
 * Strong tags of different bytes differ (RFC 9110, section 8.8.3.3): `"5"` is `"5-br"` in brotli.
 */
export function encodedEtag(etag: string, encoding: Encoding): string {
  if (encoding === 'identity' || etag.startsWith('W/')) return etag;
  return `${etag.slice(0, -1)}-${encoding}"`;
}

/** All encodings of a version match; a weak tag never does (RFC 9110, section 13.1.1). */
export function permittedVersions(
  ifMatch: string | undefined,
): typeof ANY_VERSION | readonly number[] {
  if (ifMatch === undefined || ifMatch.trim() === ANY_VERSION) return ANY_VERSION;
  return [...ifMatch.matchAll(ENTITY_TAG)].flatMap(([, weak, opaque = '']) => {
    const version = VERSION.exec(opaque)?.[1];
    return weak === undefined && version !== undefined ? [Number(version)] : [];
  });
}

export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = opaqueTag(etag);
  return header.split(',').some((tag) => opaqueTag(tag) === opaque);
}

function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
