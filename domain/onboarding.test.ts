import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { NETWORKS } from './network.ts';
import {
  ONBOARDING_STEPS,
  catalogueNetworks,
  nextStep,
  onboardingTiles,
  previousStep,
  parseStep,
  savedNetworks,
} from './onboarding.ts';

test('the breadcrumb names three steps', () => {
  expect(ONBOARDING_STEPS.join(' > ')).toBe('Personal Info > Company Info > Add Socials');
});

test('the back arrow never goes below 0 and Next never past the last step', () => {
  expect([0, 1, 2].map(previousStep)).toEqual([0, 0, 1]);
  expect([0, 1, 2].map(nextStep)).toEqual([1, 2, 2]);
});

test('a step from anywhere is one of the three', () => {
  const given = [0, 1, 2, 3, -1, 1.5, Number.NaN, '1', null, undefined];
  expect(given.map(parseStep)).toEqual([0, 1, 2, 0, 0, 0, 0, 0, 0, 0]);
});

test('a card without handles gets the four default tiles', () => {
  const defaults = ['Whatsapp', 'LinkedIn', 'X', 'Facebook'];
  expect(onboardingTiles({})).toEqual(defaults);
  expect(onboardingTiles({ Web: null, X: null })).toEqual(defaults);
});

test('saved handles are shown instead, however many there are', () => {
  fc.assert(
    fc.property(fc.subarray([...NETWORKS], { minLength: 1 }), (saved) => {
      const handles = Object.fromEntries(saved.map((network) => [network, 'https://a.example']));
      expect(onboardingTiles({ Snapchat: null, ...handles })).toEqual(saved);
      expect(savedNetworks(handles)).toEqual(saved);
    }),
  );
});

test('the catalogue hides the networks that are present', () => {
  fc.assert(
    fc.property(fc.subarray([...NETWORKS]), (present) => {
      const offered = catalogueNetworks(present);
      expect([...offered, ...present].toSorted()).toEqual([...NETWORKS].toSorted());
    }),
  );
});
