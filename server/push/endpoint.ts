import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

import { parseUrl } from '#domain/url.ts';

/** Azure's platform service: a public address that is inside the operator's network. */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);
const BRACKETS = /^\[|\]$/g;

/** Whether an IP address is outside of every private, local and reserved range. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside an IPv6 one is checked as IPv4.
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && !PLATFORM_ADDRESSES.has(parsed.toString());
}

/**
 * Whether a text is the URL of a push service: https on its default port, a full host name, no
 * credentials. The addresses of the name are checked at each connection (transport.ts).
 */
export function isPushEndpoint(text: string): boolean {
  const url = parseUrl(text);
  if (url === null) return false;
  const { protocol, hostname, port, username, password } = url;
  return (
    protocol === 'https:' &&
    port === '' &&
    username === '' &&
    password === '' &&
    isIP(hostname.replace(BRACKETS, '')) === 0 &&
    isFullName(hostname)
  );
}

/** Whether a host name has a dot inside. 'localhost' and the names of containers have none. */
function isFullName(hostname: string): boolean {
  return hostname.replace(/\.$/, '').includes('.');
}
