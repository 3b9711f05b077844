/**
 * A proxy that compresses makes the ETag weak, and a weak tag never matches; the server appends the
 * name of the encoding (docs/product.md#calls).
 */
export function versionTag(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['ETag']?.replace(/^W\//, '').replace(/-(?:br|gzip)"$/, '"');
}
