import { isIPv6 } from 'node:net';

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;
const GROUPS = 8;

/** The keys under which limits count an address. */
export interface AddressKeys {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
  /** The /48 of an IPv6 address; null for IPv4. */
  readonly site: string | null;
}

/**
 * Returns the key of an IP address for rate limits: the address for IPv4, the /64 network for IPv6,
 * because one subscriber can use every address of that network.
 */
export function addressKey(address: string): string {
  return addressKeys(address).network;
}

/**
 * Returns the key of one subscriber's address, and for IPv6 also its /48, because one customer of a
 * hosting company can have 65,536 networks of /64.
 */
export function addressKeys(address: string): AddressKeys {
  if (!address.includes(':')) return { network: address, site: null };
  const mapped = IPV4_MAPPED.exec(address);
  if (mapped?.[1]) return { network: mapped[1], site: null };
  if (!isIPv6(address)) return { network: address, site: null };
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  const prefix = (length: number) =>
    groups
      .slice(0, length)
      .map((group) => parseInt(group, 16).toString(16))
      .join(':');
  return { network: `${prefix(NETWORK_GROUPS)}::/64`, site: `${prefix(SITE_GROUPS)}::/48` };
}
