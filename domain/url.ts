/** RFC 1035, section 2.3.4, with the colon and a port. */
const HOST_LENGTH_MAX = 253 + ':65535'.length;
/** The host, port and credentials of a URL; the parser skips line breaks and tabs. */
const HOST = /^[^:]*:[/\\\s]*([^/\\?#]*)/;

/**
 * Null if it does not parse, or if its host is too long: the parser sorts the combining marks of a
 * host in quadratic time, and ignores U+034F, which separates marks.
 */
export function parseUrl(text: string): URL | null {
  if ((HOST.exec(text)?.[1] ?? '').length > HOST_LENGTH_MAX) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
