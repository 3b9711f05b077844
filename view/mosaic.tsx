import { mosaicLayers, TILE_SIDE } from '#domain/mosaic-path.ts';
import { BAND_GRID, createMosaic, createPoster, POSTER_GRID } from '#domain/mosaic.ts';
import type { Grid, Mosaic as Tiles } from '#domain/mosaic.ts';
import type { Palette } from '#domain/palette.ts';

/**
 * The width of a shape's stroke in pixels of the screen, which is twice its overlap. The edges of the bases are drawn
 * at whole pixels. Where tiles do not begin at whole pixels, the overlap covers the hairline between the two.
 */
const STROKE_PX = 1.2;

interface MosaicProps {
  readonly seed: string;
  /** By default, the palette of the seed. */
  readonly palette?: Palette | undefined;
  readonly grid?: Grid;
  readonly className?: string;
}

/** The mosaic of docs/develop/design.md#mosaic. It fills its container and is hidden from screen readers. */
export function Mosaic({ seed, palette, grid = BAND_GRID, className = 'mosaic' }: MosaicProps) {
  const mosaic = createMosaic(seed, grid, palette);
  const [width, height] = [grid.columns * TILE_SIDE, grid.rows * TILE_SIDE];
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      dangerouslySetInnerHTML={{
        __html: `<path fill="${mosaic.palette[0]}" d="M0 0h${width}v${height}H0z"/>${renderLayers(mosaic)}`,
      }}
    />
  );
}

const POSTER_WIDTH = POSTER_GRID.columns * TILE_SIDE;
const POSTER_HEIGHT = POSTER_GRID.rows * TILE_SIDE;

/**
 * Renders tiles of a fixed size with an opening for the portrait. If a poster is larger, the tiles are repeated upside
 * down, so that no second opening appears. The background goes on below, for a page that is scrolled (poster.css).
 */
export function Poster({ seed, palette }: Pick<MosaicProps, 'seed' | 'palette'>) {
  const mosaic = createPoster(seed, palette);
  return (
    <svg className="mosaic" viewBox={`0 0 ${POSTER_WIDTH} ${POSTER_HEIGHT}`} aria-hidden="true">
      <path
        fill={mosaic.palette[0]}
        d={`M0-${2 * POSTER_HEIGHT}h${2 * POSTER_WIDTH}v${4 * POSTER_HEIGHT}H0z`}
      />
      <g id={POSTER_ID} dangerouslySetInnerHTML={{ __html: renderLayers(mosaic) }} />
      <use href={`#${POSTER_ID}`} transform={`rotate(180 ${POSTER_WIDTH / 2} 0)`} />
      <use href={`#${POSTER_ID}`} transform={`rotate(180 ${POSTER_WIDTH} ${POSTER_HEIGHT / 2})`} />
    </svg>
  );
}

/** Repeats the poster's tiles behind the card. */
export function PageMosaic() {
  return (
    <svg
      className="page-mosaic"
      viewBox={`0 0 ${POSTER_WIDTH} ${POSTER_HEIGHT}`}
      aria-hidden="true"
    >
      <use href={`#${POSTER_ID}`} />
    </svg>
  );
}

/** The id can be fixed, because a page has only one poster. */
const POSTER_ID = 'poster';

/** Returns the paths as text, because a card has a dozen of them and React elements take longer. */
function renderLayers(mosaic: Tiles): string {
  const { bases, shapes } = mosaicLayers(mosaic);
  const basePaths = bases.map(({ fill, path }) => `<path fill="${fill}" d="${path}"/>`);
  const shapePaths = shapes.map(
    ({ fill, path }) =>
      `<path fill="${fill}" stroke="${fill}" stroke-width="${STROKE_PX}" vector-effect="non-scaling-stroke" d="${path}"/>`,
  );
  return `<g shape-rendering="crispEdges">${basePaths.join('')}</g>${shapePaths.join('')}`;
}
