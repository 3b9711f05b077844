/** RFC 1035, section 2.3.4, with the colon and a port. */
const HOST_LENGTH_MAX = 253 + ':65535'.length;
const HOST = /^[^:]*:[/\\\s]*([^/\\?#]*)/;

/** Null for a long host too: the parser sorts its combining marks in quadratic time. */
export function parseUrl(text: string): URL | null {
  if ((HOST.exec(text)?.[1] ?? '').length > HOST_LENGTH_MAX) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
