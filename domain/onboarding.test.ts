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
const withHandles = (networks: readonly string[]) =>
  Object.fromEntries(networks.map((network) => [network, 'https://a.example']));

test('onboarding: has three steps', () => {
  expect(ONBOARDING_STEPS.join(' > ')).toBe('Personal Info > Company Info > Add Socials');
  const given = [0, 1, 2, 3, -1, 1.5, Number.NaN, '1', null, undefined];
  expect(given.map(parseStep)).toEqual([0, 1, 2, 0, 0, 0, 0, 0, 0, 0]);
});

test('onboarding tiles: are the saved networks, or the four defaults', () => {
  expect(initialTiles({})).toEqual(DEFAULTS);
  expect(initialTiles({ Web: null, X: null })).toEqual(DEFAULTS);
  fc.assert(
    fc.property(fc.subarray([...NETWORKS], { minLength: 1 }), (saved) => {
      expect(initialTiles({ Snapchat: null, ...withHandles(saved) })).toEqual(saved);
      expect(networksWithHandle(withHandles(saved))).toEqual(saved);
    }),
  );
});

test('social tiles: keep their order when handles are added and removed', () => {
  expect(socialTiles({}, {})).toEqual(DEFAULTS);
  expect(socialTiles({}, withHandles(['X', 'Web']))).toEqual([...DEFAULTS, 'Web']);
  const current = { ...withHandles(['Maps', 'Instagram']), X: null };
  const tiles = socialTiles(withHandles(['X', 'Maps']), current);
  expect(tiles).toEqual(['X', 'Maps', 'Instagram']);
});

test('catalogue: has the networks that are not present, each once', () => {
  const handles = fc.subarray([...NETWORKS]).map(withHandles);
  fc.assert(
    fc.property(handles, handles, (saved, current) => {
      const tiles = socialTiles(saved, current);
      const offered = catalogueNetworks(tiles);
      expect(offered.filter((network) => network in { ...saved, ...current })).toEqual([]);
      expect([...tiles, ...offered].toSorted()).toEqual([...NETWORKS].toSorted());
    }),
  );
});
