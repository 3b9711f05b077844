import { expect, test } from 'vitest';

import { expectResults } from '#tests/support/results.ts';

import { NETWORKS, NETWORKS_ON_CARD, handlePlaceholder, nameOnCard, networkOf } from './network.ts';

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

test('network of a link: is recognised from short links too', () => {
  expectResults<string | null>((link) => networkOf(`https://${link}`), {
    'instagr.am/asharao': 'Instagram',
    'ig.me/m/asharao': 'Instagram',
    'm.me/asharao': 'Facebook',
    'fb.watch/AbC/': 'Facebook',
    'maps.apple/p/AbC': 'Maps',
    'maps.apple.com/place?q=x': 'Maps',
    'g.page/asharao': 'Maps',
    'g.page/r/AbC/review': 'Maps',
    'g.co/maps/AbC': 'Maps',
    'web.whatsapp.com/send?phone=919876543210': 'Whatsapp',
    // These shorten links to any site.
    'lnkd.in/AbC': null,
    't.co/AbC': null,
    'asha.example/m.me/': null,
  });
});
