import { expect, test } from 'vitest';

import { NETWORKS, NETWORKS_ON_CARD, handlePlaceholder, nameOnCard } from './network.ts';

test('networks: have an order in the catalogue and one on the card, where Web is called Website', () => {
  expect(NETWORKS.join(', ')).toBe(
    'Instagram, Snapchat, Pinterest, Behance, Whatsapp, LinkedIn, X, Facebook, Dribbble, Web, YouTube, Maps',
  );
  expect(NETWORKS_ON_CARD.map(nameOnCard).join(', ')).toBe(
    'Website, Maps, Whatsapp, Instagram, LinkedIn, Pinterest, Facebook, YouTube, Snapchat, Behance, X, Dribbble',
  );
  expect([...NETWORKS_ON_CARD].toSorted()).toEqual([...NETWORKS].toSorted());
});

test('handle placeholder: names the network', () => {
  const found = NETWORKS.map((network) => [network, handlePlaceholder(network)]);
  expect(Object.fromEntries(found)).toEqual({
    Instagram: 'Paste your Instagram profile link here',
    Snapchat: 'Paste your Snapchat profile link here',
    Pinterest: 'Paste your Pinterest profile link here',
    Behance: 'Paste your Behance profile link here',
    Whatsapp: 'Paste your Whatsapp Number here',
    LinkedIn: 'Paste your LinkedIn profile link here',
    X: 'Paste your X profile link here',
    Facebook: 'Paste your Facebook profile link here',
    Dribbble: 'Paste your Dribbble profile link here',
    Web: 'Paste your Website link here',
    YouTube: 'Paste your YouTube profile link here',
    Maps: 'Paste your Map location link here',
  });
});
