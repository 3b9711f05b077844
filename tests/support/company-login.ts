import { exportJWK, generateKeyPair } from 'jose';

import { cookieHeader, keepCookies } from './cookies.ts';
import type { Cookies } from './cookies.ts';

export async function newSigningKey(kid: string) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
}

/**
 * Follows an authorization request as a browser does. Presses the button of this person if the issuer shows
 * its page. Returns the address to which the issuer sends the browser back.
 */
export async function visitIssuer(start: URL, sub: string, cookies: Cookies = new Map()) {
  let url = start;
  let body: URLSearchParams | undefined;
  for (;;) {
    const headers = { cookie: cookieHeader(cookies) };
    const method = body ? 'POST' : 'GET';
    const response = await fetch(url, {
      redirect: 'manual',
      headers,
      method,
      ...(body && { body }),
    });
    keepCookies(cookies, response.headers.getSetCookie());
    const location = response.headers.get('location');
    body = location === null ? new URLSearchParams({ sub }) : undefined;
    if (location === null && method === 'POST') throw new Error(await response.text());
    if (location !== null) url = new URL(location, url);
    if (url.origin !== start.origin) return url;
  }
}
