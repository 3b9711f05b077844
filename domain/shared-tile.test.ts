import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { channelsOf } from './colour.ts';
import { idPalette } from './palette.ts';
import { sharedTile } from './shared-tile.ts';

const owners = Array.from({ length: 40 }, (_, index) => `owner${index}`);
const contacts = Array.from({ length: 100 }, (_, index) => `contact${index}`);
const coloursOf = (tile: string) =>
  [...tile.matchAll(/fill="(#\w+)"/g)].map(([, fill = '']) => fill);

function distance(one: string, other: string): number {
  const [a, b] = [channelsOf(one), channelsOf(other)];
  return Math.hypot(a.r - b.r, a.g - b.g, a.b - b.b);
}

test('shared tile: depends on both ids only, and no tile changes from version to version', () => {
  const tiles = owners.flatMap((owner) => contacts.map((contact) => sharedTile(owner, contact)));
  expect(sharedTile('owner1', 'contact1')).toMatchInlineSnapshot(
    `"<path fill="#45413c" d="M0 0h8v8H0z"/><circle cx="8" cy="8" r="7" fill="#edbc66"/><circle cx="8" cy="8" r="5" fill="#fbeecf"/><circle cx="0" cy="0" r="3" fill="#eee9e0"/>"`,
  );
  expect(createHash('md5').update(tiles.join()).digest('hex')).toMatchInlineSnapshot(
    `"d5fd8e22a193509db7aeace178de78cb"`,
  );
  // A list of contacts looks like that of its owner, and the people in it differ.
  for (const owner of owners)
    expect(new Set(contacts.map((contact) => sharedTile(owner, contact))).size).toBeGreaterThan(60);
  const ofOneContact = new Set(owners.map((owner) => sharedTile(owner, 'contact1')));
  expect(ofOneContact.size).toBeGreaterThan(30);
});

test('shared tile: has colours of both people, and no part has the colour of what is behind it', () => {
  for (const owner of owners) {
    for (const contact of contacts) {
      const [ground = '', quarter = '', inner = '', mark = ''] = coloursOf(
        sharedTile(owner, contact),
      );
      expect(idPalette(owner).tones).toEqual(expect.arrayContaining([ground, mark]));
      expect(idPalette(contact).tones).toEqual(expect.arrayContaining([quarter, inner]));
      for (const [front, behind] of [
        [quarter, ground],
        [inner, quarter],
        [mark, ground],
      ] as const)
        expect(distance(front, behind), `${owner} ${contact}`).toBeGreaterThan(0.15);
    }
  }
});
