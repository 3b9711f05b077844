import ipaddr from 'ipaddr.js';

const PREFIX_64_GROUPS = 4;
const PREFIX_48_GROUPS = 3;

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
  // The name of a network interface, such as br-lan, is no part of the address.
  const [plain = ''] = address.split('%', 1);
  if (!plain.includes(':') || !ipaddr.isValid(plain)) return { prefix64: address, prefix48: null };
  // An IPv4 address inside an IPv6 one is IPv4.
  const parsed = ipaddr.process(plain);
  if (!(parsed instanceof ipaddr.IPv6)) return { prefix64: parsed.toString(), prefix48: null };
  const groups = parsed.parts.map((group) => group.toString(16));
  const prefix = (length: number) => groups.slice(0, length).join(':');
  return {
    prefix64: `${prefix(PREFIX_64_GROUPS)}::/64`,
    prefix48: `${prefix(PREFIX_48_GROUPS)}::/48`,
  };
}
