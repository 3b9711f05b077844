import type { Encoding } from './negotiation.ts';

/** An entity tag of a header (RFC 9110, section 8.8.3). */
const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;
/** A version, or a version in a content encoding. */
const VERSION = /^(\d+)(?:-(?:br|gzip))?$/;
/** The If-Match value that matches every version. */
export const ANY_VERSION = '*';

/** Returns the strong ETag of a version. */
export function versionEtag(version: number): string {
  return `"${version}"`;
}

/**
 * Returns the tag of a response in an encoding. The bytes differ, so a strong tag does too
 * (RFC 9110, section 8.8.3.3): `"5"` is `"5-br"` in brotli.
 */
export function encodedEtag(etag: string, encoding: Encoding): string {
  if (encoding === 'identity' || etag.startsWith('W/')) return etag;
  return `${etag.slice(0, -1)}-${encoding}"`;
}

/**
 * Returns the versions that an If-Match header permits, as `"1" "2"`, or '*' for every version. All
 * encodings of a version match; a weak tag never does (RFC 9110, section 13.1.1). The UPDATE in
 * profile/store.ts searches this text with LIKE.
 */
export function permittedVersions(ifMatch: string | undefined): string {
  if (ifMatch === undefined || ifMatch.trim() === ANY_VERSION) return ANY_VERSION;
  return [...ifMatch.matchAll(ENTITY_TAG)]
    .flatMap(([, weak, opaque = '']) => {
      const version = VERSION.exec(opaque)?.[1];
      return weak === undefined && version !== undefined ? [`"${version}"`] : [];
    })
    .join(' ');
}

/** Whether an If-None-Match header names this tag; compared weakly (RFC 9110, section 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = opaqueTag(etag);
  return header.split(',').some((tag) => opaqueTag(tag) === opaque);
}

function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
