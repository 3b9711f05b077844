interface NetworkEntry {
  /** The position on the public card: links are sorted by this number. */
  readonly cardOrder: number;
  /** The name of the link on the public card; by default the network's own name. */
  readonly nameOnCard?: string;
  /** The placeholder of the link input; by default 'Paste your {network} profile link here'. */
  readonly placeholder?: string;
  /** The address of a profile up to its name; absent where a name does not make an address. */
  readonly profileAddress?: string;
}

/** Every social network, in the order of the catalogue (docs/product.md#networks). */
const NETWORK_ENTRIES = {
  Instagram: { cardOrder: 4, profileAddress: 'https://www.instagram.com/' },
  Snapchat: { cardOrder: 9, profileAddress: 'https://www.snapchat.com/add/' },
  Pinterest: { cardOrder: 6, profileAddress: 'https://www.pinterest.com/' },
  Behance: { cardOrder: 10, profileAddress: 'https://www.behance.net/' },
  Whatsapp: { cardOrder: 3, placeholder: 'Paste your Whatsapp Number here' },
  LinkedIn: { cardOrder: 5, profileAddress: 'https://www.linkedin.com/in/' },
  X: { cardOrder: 11, profileAddress: 'https://x.com/' },
  Facebook: { cardOrder: 7, profileAddress: 'https://www.facebook.com/' },
  Dribbble: { cardOrder: 12, profileAddress: 'https://dribbble.com/' },
  Web: { cardOrder: 1, nameOnCard: 'Website', placeholder: 'Paste your Website link here' },
  YouTube: { cardOrder: 8, profileAddress: 'https://www.youtube.com/@' },
  Maps: { cardOrder: 2, placeholder: 'Paste your Map location link here' },
} satisfies Record<string, NetworkEntry>;

export type Network = keyof typeof NETWORK_ENTRIES;

export const NETWORKS = Object.keys(NETWORK_ENTRIES) as Network[];

/** The networks in the order of the public card. */
export const NETWORKS_ON_CARD: readonly Network[] = NETWORKS.toSorted(
  (a, b) => NETWORK_ENTRIES[a].cardOrder - NETWORK_ENTRIES[b].cardOrder,
);

/** The name of a network's link on the public card. */
export function nameOnCard(network: Network): string {
  const { nameOnCard: name = network }: NetworkEntry = NETWORK_ENTRIES[network];
  return name;
}

/** The placeholder of the link input (docs/product.md#handles). */
export function handlePlaceholder(network: Network): string {
  const entry: NetworkEntry = NETWORK_ENTRIES[network];
  return entry.placeholder ?? `Paste your ${network} profile link here`;
}

/**
 * Returns the URL of a profile by its name on the network; null for a network without profile names.
 */
export function profileUrl(network: Network, name: string): string | null {
  const { profileAddress }: NetworkEntry = NETWORK_ENTRIES[network];
  return profileAddress === undefined ? null : profileAddress + encodeURIComponent(name);
}
