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
  const others = NETWORKS.map(handlePlaceholder).filter(
    (text, index) => text !== `Paste your ${NETWORKS[index]} profile link here`,
  );
  expect(others.join(', ')).toBe(
    'Paste your Whatsapp Number here, Paste your Website link here, Paste your Map location link here',
  );
});
