const RETURNED = /^#token=([\w-]*)$/;

/**
 * Returns the token with which the company's login has sent the browser back, and removes it from the URL.
 * It is '' if the person has cancelled there, and null if the page was opened in another way.
 */
export function takeReturnedToken(): string | null {
  const token = RETURNED.exec(location.hash)?.[1] ?? null;
  if (token !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
