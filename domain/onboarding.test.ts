import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { NETWORKS } from './network.ts';
import {
  ONBOARDING_STEPS,
  catalogueNetworks,
  initialTiles,
  socialTiles,
  parseStep,
  networksWithHandle,
} from './onboarding.ts';

const DEFAULTS = ['Whatsapp', 'LinkedIn', 'X', 'Facebook'];

test('onboarding: names three steps', () => {
  expect(ONBOARDING_STEPS.join(' > ')).toBe('Personal Info > Company Info > Add Socials');
});

test('parse step: returns one of the three steps', () => {
  const given = [0, 1, 2, 3, -1, 1.5, Number.NaN, '1', null, undefined];
  expect(given.map(parseStep)).toEqual([0, 1, 2, 0, 0, 0, 0, 0, 0, 0]);
});

test('onboarding tiles: are the four defaults for a card without handles', () => {
  expect(initialTiles({})).toEqual(DEFAULTS);
  expect(initialTiles({ Web: null, X: null })).toEqual(DEFAULTS);
});

test('onboarding tiles: are the saved networks', () => {
  fc.assert(
    fc.property(fc.subarray([...NETWORKS], { minLength: 1 }), (saved) => {
      const handles = Object.fromEntries(saved.map((network) => [network, 'https://a.example']));
      expect(initialTiles({ Snapchat: null, ...handles })).toEqual(saved);
      expect(networksWithHandle(handles)).toEqual(saved);
    }),
  );
});

test('social tiles: keep their order when handles are added and removed', () => {
  expect(socialTiles({}, {})).toEqual(DEFAULTS);
  const added = { X: 'https://x.com/a', Web: 'https://a.example' };
  expect(socialTiles({}, added)).toEqual([...DEFAULTS, 'Web']);
  const saved = { X: 'https://x.com/asha', Maps: 'https://maps.example/a' };
  const current = { ...saved, X: null, Instagram: 'https://instagram.com/a' };
  expect(socialTiles(saved, current)).toEqual(['X', 'Maps', 'Instagram']);
});

test('catalogue: has the networks that are not present, each once', () => {
  const handles = fc
    .subarray([...NETWORKS])
    .map((networks) => Object.fromEntries(networks.map((one) => [one, 'https://a.example'])));
  fc.assert(
    fc.property(handles, handles, (saved, current) => {
      const tiles = socialTiles(saved, current);
      const offered = catalogueNetworks(tiles);
      expect(offered.filter((network) => network in { ...saved, ...current })).toEqual([]);
      expect([...tiles, ...offered].toSorted()).toEqual([...NETWORKS].toSorted());
    }),
  );
});
