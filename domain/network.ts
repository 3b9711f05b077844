/** The social networks in the catalogue's order (specification, section 3). */
export const NETWORKS = [
  'Instagram',
  'Snapchat',
  'Pinterest',
  'Behance',
  'Whatsapp',
  'LinkedIn',
  'X',
  'Facebook',
  'Dribbble',
  'Web',
  'YouTube',
  'Maps',
] as const;

export type Network = (typeof NETWORKS)[number];

/** The order on the public card (specification, section 2). */
export const NETWORKS_ON_CARD: readonly Network[] = [
  'Web',
  'Maps',
  'Whatsapp',
  'Instagram',
  'LinkedIn',
  'Pinterest',
  'Facebook',
  'YouTube',
  'Snapchat',
  'Behance',
  'X',
  'Dribbble',
];

/** A network's name as a link on the public card: Web is called 'Website' there. */
export function nameOnCard(network: Network): string {
  return network === 'Web' ? 'Website' : network;
}

/** The placeholder of the single-link entry (specification, section 5). */
export function handlePlaceholder(network: Network): string {
  if (network === 'Whatsapp') return 'Paste your Whatsapp Number here';
  if (network === 'Web') return 'Paste your Website link here';
  if (network === 'Maps') return 'Paste your Map location link here';
  return `Paste your ${network} profile link here`;
}
