import { isIPv6 } from 'node:net';

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** The same form with hexadecimal groups (RFC 4291, section 2.5.5.2). */
const IPV4_MAPPED_GROUPS = /^0:0:0:0:0:ffff:([\da-f]+):([\da-f]+)$/;
const PREFIX_64_GROUPS = 4;
const PREFIX_48_GROUPS = 3;
const GROUPS = 8;
const BYTE_BITS = 8;
const BYTE_MASK = 0xff;

export interface AddressPrefixes {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly prefix64: string;
  readonly prefix48: string | null;
}

/** One subscriber can use every address of a /64. */
export function rateLimitKey(address: string): string {
  return addressPrefixes(address).prefix64;
}

/** For IPv6 also the /48: one hosting customer can own 65,536 networks of /64. */
export function addressPrefixes(address: string): AddressPrefixes {
  if (!address.includes(':')) return { prefix64: address, prefix48: null };
  const mapped = IPV4_MAPPED.exec(address);
  if (mapped?.[1]) return { prefix64: mapped[1], prefix48: null };
  if (!isIPv6(address)) return { prefix64: address, prefix48: null };
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) =>
    parseInt(group, 16).toString(16),
  );
  const [, high, low] = IPV4_MAPPED_GROUPS.exec(groups.join(':')) ?? [];
  if (high !== undefined && low !== undefined) {
    return { prefix64: [...toBytes(high), ...toBytes(low)].join('.'), prefix48: null };
  }
  const prefix = (length: number) => groups.slice(0, length).join(':');
  return {
    prefix64: `${prefix(PREFIX_64_GROUPS)}::/64`,
    prefix48: `${prefix(PREFIX_48_GROUPS)}::/48`,
  };
}

function toBytes(group: string): [high: number, low: number] {
  const value = parseInt(group, 16);
  return [value >> BYTE_BITS, value & BYTE_MASK];
}
