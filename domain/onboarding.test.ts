import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { NETWORKS } from './network.ts';
import { catalogueNetworks, initialTiles, parseStep } from './onboarding.ts';
import { networksWithHandle, socialTiles } from './onboarding.ts';
import * as share from './share.ts';
import { pageAfterSignIn } from './signin.ts';
import { tileSpans } from './tile-span.ts';

const DEFAULTS = ['Whatsapp', 'LinkedIn', 'X', 'Facebook'];
const withHandles = (networks: readonly string[]) =>
  Object.fromEntries(networks.map((network) => [network, 'https://a.example']));

test('onboarding: has three steps, of which another number is the first', () => {
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

test('tiles: compose rows without gaps, from one to twelve', () => {
  const rows = Array.from({ length: 12 }, (_, index) => tileSpans(index + 1).join(' '));
  expect(rows.slice(0, 7).join(' | ')).toBe(
    '12 | 6 6 | 4 4 4 | 6 6 6 6 | 6 6 4 4 4 | 4 4 4 4 4 4 | 3 3 3 3 4 4 4',
  );
  const ends = ['', ' 12', ' 6 6', ' 4 4 4', ' 3 3 3 3'];
  expect(rows.slice(7)).toEqual(ends.map((end) => `3 3 3 3 3 3 3 3${end}`));
});

test('page after sign-in: dashboard with a name, else onboarding with the phone in the query', () => {
  expect(pageAfterSignIn({ name: 'Asha', phone: '+919876543210' })).toBe('/dashboard/');
  for (const name of ['', '  ']) {
    const page = new URL(pageAfterSignIn({ name, phone: '+91 98&765#43210' }), 'https://a.example');
    expect([page.pathname, page.searchParams.get('phone')]).toEqual(['/ftue', '+91 98&765#43210']);
  }
});

test('QR code: has the values of docs/develop/product.md', () => {
  const values = { QR_SIZE_PX: 256, QR_LEVEL: 'L', QR_QUIET_ZONE_MODULES: 4 };
  expect(share).toMatchObject({ ...values, QR_FILE_NAME: 'MY_QR.png' });
});
