import { mosaicLayers, TILE_SIDE } from '#domain/mosaic-path.ts';
import { BAND_GRID, createMosaic, createPoster, POSTER_GRID } from '#domain/mosaic.ts';
import type { Grid, Mosaic as Tiles } from '#domain/mosaic.ts';
import type { Palette } from '#domain/palette.ts';

/**
 * Pixels on a screen, twice the overlap of a shape. The edges of the bases are whole pixels: a shape
 * covers them, so that no hairline stays visible where tiles are not.
 */
const STROKE_PX = 1.2;
/** The tiles of a poster are whole pixels. */
const POSTER_STROKE_PX = 0.5;

interface MosaicProps {
  readonly seed: string;
  /** By default that of the seed. */
  readonly palette?: Palette | undefined;
  readonly grid?: Grid;
  readonly className?: string;
}

/** docs/design.md#mosaic. Fills its container; hidden from screen readers. */
export function Mosaic({ seed, palette, grid = BAND_GRID, className = 'mosaic' }: MosaicProps) {
  const mosaic = createMosaic(seed, grid, palette);
  const [width, height] = [grid.columns * TILE_SIDE, grid.rows * TILE_SIDE];
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <path fill={mosaic.palette[0]} d={`M0 0h${width}v${height}H0z`} />
      <Layers mosaic={mosaic} stroke={STROKE_PX} />
    </svg>
  );
}

const POSTER_WIDTH = POSTER_GRID.columns * TILE_SIDE;
const POSTER_HEIGHT = POSTER_GRID.rows * TILE_SIDE;

/**
 * Tiles of a fixed size with an opening for the portrait. Where a poster is larger, the tiles are repeated upside down,
 * so that the opening is not.
 */
export function Poster({ seed, palette }: Pick<MosaicProps, 'seed' | 'palette'>) {
  const mosaic = createPoster(seed, palette);
  return (
    <svg className="mosaic" viewBox={`0 0 ${POSTER_WIDTH} ${POSTER_HEIGHT}`} aria-hidden="true">
      <path
        fill={mosaic.palette[0]}
        d={`M0-${2 * POSTER_HEIGHT}h${2 * POSTER_WIDTH}v${3 * POSTER_HEIGHT}H0z`}
      />
      <g id={POSTER_ID}>
        <Layers mosaic={mosaic} stroke={POSTER_STROKE_PX} />
      </g>
      <use href={`#${POSTER_ID}`} transform={`rotate(180 ${POSTER_WIDTH / 2} 0)`} />
      <use href={`#${POSTER_ID}`} transform={`rotate(180 ${POSTER_WIDTH} ${POSTER_HEIGHT / 2})`} />
    </svg>
  );
}

/** The same tiles again, behind the card. */
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

/** A page has one poster. */
const POSTER_ID = 'poster';

function Layers({ mosaic, stroke }: { readonly mosaic: Tiles; readonly stroke: number }) {
  const { bases, shapes } = mosaicLayers(mosaic);
  return (
    <>
      <g shapeRendering="crispEdges">
        {bases.map(({ fill, path }) => (
          <path key={path} fill={fill} d={path} />
        ))}
      </g>
      {shapes.map(({ fill, path }) => (
        <path
          key={path}
          fill={fill}
          stroke={fill}
          strokeWidth={stroke}
          vectorEffect="non-scaling-stroke"
          d={path}
        />
      ))}
    </>
  );
}
