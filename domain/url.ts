/** Longest host in characters, as in the DNS (RFC 1035, section 2.3.4), with the colon and a port. */
const HOST_LENGTH_MAX = 253 + ':65535'.length;
/** The host, port and credentials of a URL; the parser skips line breaks and tabs. */
const HOST = /^[^:]*:[/\\\s]*([^/\\?#]*)/;

/**
 * Returns a text from outside as a URL; null if it does not parse, or if its host is longer than that
 * of any web page. The parser sorts the combining marks of a host in quadratic time, and the length
 * is the only bound on them, because it ignores U+034F, which separates marks.
 */
export function parseUrl(text: string): URL | null {
  if ((HOST.exec(text)?.[1] ?? '').length > HOST_LENGTH_MAX) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
