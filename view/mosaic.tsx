import { mosaicLayers, TILE_SIDE } from '#domain/mosaic-path.ts';
import { BAND_GRID, createMosaic } from '#domain/mosaic.ts';
import type { Grid } from '#domain/mosaic.ts';
import type { Palette } from '#domain/palette.ts';

/**
 * Twice the overlap of a shape: half a pixel on a phone. The edges of the bases are whole pixels,
 * so a shape covers them and no hairline stays visible.
 */
const SHAPE_OVERLAP = 0.05;

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
  const { bases, shapes } = mosaicLayers(mosaic);
  return (
    <svg
      className={className}
      viewBox={`0 0 ${grid.columns * TILE_SIDE} ${grid.rows * TILE_SIDE}`}
      preserveAspectRatio="xMidYMid slice"
      strokeWidth={SHAPE_OVERLAP}
      aria-hidden="true"
    >
      <g shapeRendering="crispEdges">
        <path
          fill={mosaic.palette[0]}
          d={`M0 0h${grid.columns * TILE_SIDE}v${grid.rows * TILE_SIDE}H0z`}
        />
        {bases.map(({ fill, path }) => (
          <path key={path} fill={fill} d={path} />
        ))}
      </g>
      {shapes.map(({ fill, path }) => (
        <path key={path} fill={fill} stroke={fill} d={path} />
      ))}
    </svg>
  );
}
