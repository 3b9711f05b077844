/** A host has at most 253 characters (RFC 1035, section 2.3.4). A colon and a port may follow. */
const HOST_LENGTH_MAX = 253 + ':65535'.length;
const HOST = /^[^:]*:[/\\\s]*([^/\\?#]*)/;

/** Returns null for an invalid URL, and for a longer host, whose marks the parser would sort in quadratic time. */
export function parseUrl(text: string): URL | null {
  if ((HOST.exec(text)?.[1] ?? '').length > HOST_LENGTH_MAX) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
