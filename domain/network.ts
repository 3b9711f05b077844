interface NetworkEntry {
  /** The position on the public card: links are sorted by this number. */
  readonly cardOrder: number;
  /** The name of the link on the public card; by default the network's own name. */
  readonly nameOnCard?: string;
  /** The placeholder of the link input; by default 'Paste your {network} profile link here'. */
  readonly placeholder?: string;
  /** The URL of an account up to its user name; absent for networks without such URLs. */
  readonly profileUrlPrefix?: string;
}

/** Every social network, in the order of the catalogue (docs/product.md#networks). */
const NETWORK_ENTRIES = {
  Instagram: { cardOrder: 4, profileUrlPrefix: 'https://www.instagram.com/' },
  Snapchat: { cardOrder: 9, profileUrlPrefix: 'https://www.snapchat.com/add/' },
  Pinterest: { cardOrder: 6, profileUrlPrefix: 'https://www.pinterest.com/' },
  Behance: { cardOrder: 10, profileUrlPrefix: 'https://www.behance.net/' },
  Whatsapp: { cardOrder: 3, placeholder: 'Paste your Whatsapp Number here' },
  LinkedIn: { cardOrder: 5, profileUrlPrefix: 'https://www.linkedin.com/in/' },
  X: { cardOrder: 11, profileUrlPrefix: 'https://x.com/' },
  Facebook: { cardOrder: 7, profileUrlPrefix: 'https://www.facebook.com/' },
  Dribbble: { cardOrder: 12, profileUrlPrefix: 'https://dribbble.com/' },
  Web: { cardOrder: 1, nameOnCard: 'Website', placeholder: 'Paste your Website link here' },
  YouTube: { cardOrder: 8, profileUrlPrefix: 'https://www.youtube.com/@' },
  Maps: { cardOrder: 2, placeholder: 'Paste your Map location link here' },
} satisfies Record<string, NetworkEntry>;

export type Network = keyof typeof NETWORK_ENTRIES;

export const NETWORKS = Object.keys(NETWORK_ENTRIES) as Network[];

/** The networks in the order of the public card. */
export const NETWORKS_ON_CARD: readonly Network[] = NETWORKS.toSorted(
  (a, b) => NETWORK_ENTRIES[a].cardOrder - NETWORK_ENTRIES[b].cardOrder,
);

/** Returns the name of a network's link on the public card. */
export function nameOnCard(network: Network): string {
  const { nameOnCard: name = network }: NetworkEntry = NETWORK_ENTRIES[network];
  return name;
}

/** Returns the placeholder of the link input (docs/product.md#handles). */
export function handlePlaceholder(network: Network): string {
  const entry: NetworkEntry = NETWORK_ENTRIES[network];
  return entry.placeholder ?? `Paste your ${network} profile link here`;
}

/** Returns the URL of an account by its user name; null for a network without such URLs. */
export function accountUrl(network: Network, username: string): string | null {
  const { profileUrlPrefix }: NetworkEntry = NETWORK_ENTRIES[network];
  return profileUrlPrefix === undefined ? null : profileUrlPrefix + encodeURIComponent(username);
}
