import { ONE_TILE, createMosaic } from './mosaic.ts';
import { idPalette } from './palette.ts';
import { seededRandom } from './random.ts';

/** The side of the square, in the units of the SVG below. */
const SIDE = 8;
export const SHARED_TILE_BOX = `0 0 ${SIDE} ${SIDE}`;
const QUARTER_RADIUS = 7;
const INNER_RADII = [3, 4, 5];
const MARK_RADIUS = 3;

/**
 * Returns the SVG content of the tile of two people (docs/develop/design.md#shared-tile). The ground, the small mark and the
 * corner of the quarter round are the owner's. The colours of the quarter round are the contact's.
 */
export function sharedTile(ownerId: string, contactId: string): string {
  const [owner, contact] = [seededRandom(ownerId), seededRandom(contactId)];
  // The first number selects the palette, so it would tie the choices below to the colours.
  owner();
  contact();
  const [deep, , half, light] = idPalette(ownerId).tones;
  const [, tone, ground, pale, accent] = idPalette(contactId).tones;
  // A card's social tiles have the same round corner (view/contact-links.tsx).
  const rotation = createMosaic(ownerId, ONE_TILE).tiles[0]?.rotation ?? 0;
  const corner = [rotation % 3 === 0 ? 0 : SIDE, rotation < 2 ? 0 : SIDE] as const;
  const opposite = [SIDE - corner[0], SIDE - corner[1]] as const;
  return [
    `<path fill="${deep}" d="M0 0h${SIDE}v${SIDE}H0z"/>`,
    quarter(corner, QUARTER_RADIUS, ground),
    quarter(corner, pick(contact, INNER_RADII), pick(contact, [tone, pale, accent])),
    quarter(opposite, MARK_RADIUS, pick(owner, [half, light])),
  ].join('');
}

/** Returns a circle, which the edge of the picture cuts to a quarter. */
const quarter = ([x, y]: readonly [number, number], radius?: number, fill?: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;

/** Returns both people's tiles with their look in attributes, because the public card has no bytes for more style. */
export const sharedTilesSvg = (ownerId: string, contactId: string): string =>
  [sharedTile(ownerId, contactId), sharedTile(contactId, ownerId)]
    .map(
      (tile) =>
        `<svg viewBox="${SHARED_TILE_BOX}" width="56" clip-path="inset(0 round 12px)" aria-hidden="true">${tile}</svg> `,
    )
    .join('');

function pick<Value>(random: () => number, values: readonly Value[]): Value | undefined {
  return values[Math.floor(random() * values.length)];
}
