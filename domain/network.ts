interface NetworkEntry {
  readonly cardOrder: number;
  readonly nameOnCard?: string;
  readonly placeholder?: string;
  /** The URL of a profile without the user name. Some networks have no such URLs. */
  readonly profileUrlPrefix?: string;
  /**
   * Matches the start of the network's other links, after the protocol and 'www.'. A link of a service that
   * shortens any URL, such as t.co, is not one of them.
   */
  readonly otherLinks?: RegExp;
}

/** In the order of the catalogue (docs/develop/product.md#networks). */
const NETWORK_ENTRIES = {
  Instagram: {
    cardOrder: 4,
    profileUrlPrefix: 'https://www.instagram.com/',
    otherLinks: /^(?:instagr\.am|ig\.me)\//i,
  },
  Snapchat: { cardOrder: 9, profileUrlPrefix: 'https://www.snapchat.com/add/' },
  Pinterest: {
    cardOrder: 6,
    profileUrlPrefix: 'https://www.pinterest.com/',
    otherLinks: /^(?:(?:[a-z]+\.)?pinterest\.[a-z.]+\/|pin\.it\/)/i,
  },
  Behance: {
    cardOrder: 10,
    profileUrlPrefix: 'https://www.behance.net/',
    otherLinks: /^(?:be\.net\/)/i,
  },
  Whatsapp: {
    cardOrder: 3,
    placeholder: 'Paste your Whatsapp Number here',
    otherLinks: /^(?:wa\.me\/|(?:(?:api|web)\.)?whatsapp\.com\/send)/i,
  },
  LinkedIn: { cardOrder: 5, profileUrlPrefix: 'https://www.linkedin.com/in/' },
  X: {
    cardOrder: 11,
    profileUrlPrefix: 'https://x.com/',
    otherLinks: /^(?:(?:mobile\.)?twitter\.com\/)/i,
  },
  Facebook: {
    cardOrder: 7,
    profileUrlPrefix: 'https://www.facebook.com/',
    otherLinks: /^(?:fb\.(?:com|me|watch)|m\.me)\//i,
  },
  Dribbble: { cardOrder: 12, profileUrlPrefix: 'https://dribbble.com/' },
  Web: { cardOrder: 1, nameOnCard: 'Website', placeholder: 'Paste your Website link here' },
  YouTube: {
    cardOrder: 8,
    profileUrlPrefix: 'https://www.youtube.com/@',
    otherLinks: /^(?:youtu\.be\/)/i,
  },
  Maps: {
    cardOrder: 2,
    placeholder: 'Paste your Map location link here',
    otherLinks:
      /^(?:google\.[a-z.]+\/maps|maps\.google\.[a-z.]+\/|maps\.app\.goo\.gl\/|goo\.gl\/maps|maps\.apple(?:\.com)?\/|g\.page\/|g\.co\/maps\/)/i,
  },
} satisfies Record<string, NetworkEntry>;

export type Network = keyof typeof NETWORK_ENTRIES;

export const NETWORKS = Object.keys(NETWORK_ENTRIES) as Network[];

export const NETWORKS_ON_CARD = inCardOrder(NETWORKS);

export function inCardOrder(networks: readonly Network[]): readonly Network[] {
  return networks.toSorted((a, b) => NETWORK_ENTRIES[a].cardOrder - NETWORK_ENTRIES[b].cardOrder);
}

export function nameOnCard(network: Network): string {
  const { nameOnCard: name = network }: NetworkEntry = NETWORK_ENTRIES[network];
  return name;
}

export function handlePlaceholder(network: Network): string {
  const entry: NetworkEntry = NETWORK_ENTRIES[network];
  return entry.placeholder ?? `Paste your ${network} profile link here`;
}

export function handleExample(network: Network): string | null {
  const url = accountUrl(network, 'asharao');
  return url && url.replace(/^https:\/\/(www\.)?/, '');
}

/** Returns whether a host belongs to the network, such as 'm.facebook.com'. */
export function isHostOf(network: Network, host: string): boolean {
  const { profileUrlPrefix = 'https:' }: NetworkEntry = NETWORK_ENTRIES[network];
  const own = profileUrlPrefix.replace(/^https:\/\/(www\.)?/, '').replace(/\/.*/, '');
  return `.${host.toLowerCase()}`.endsWith(`.${own}`);
}

/** Returns the network of a link, or null for a site of one's own. */
export function networkOf(link: string): Network | null {
  const rest = link.replace(/^https?:\/\/(?:www\.)?/i, '');
  const isOf = (network: Network) => {
    const { profileUrlPrefix, otherLinks }: NetworkEntry = NETWORK_ENTRIES[network];
    const isOwnHost = profileUrlPrefix !== undefined && isHostOf(network, new URL(link).hostname);
    return isOwnHost || otherLinks?.test(rest) === true;
  };
  return NETWORKS.find(isOf) ?? null;
}

export function accountUrl(network: Network, username: string): string | null {
  const { profileUrlPrefix }: NetworkEntry = NETWORK_ENTRIES[network];
  return profileUrlPrefix === undefined ? null : profileUrlPrefix + encodeURIComponent(username);
}
