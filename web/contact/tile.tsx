import { initials } from '#domain/display.ts';
import { createMosaic } from '#domain/mosaic.ts';

const NO_TILES = { columns: 0, rows: 0 };

interface TileProps {
  readonly contact: { readonly _id: string; readonly name: string };
}

/** Decorative: the person's name is next to it. */
export function Tile({ contact: { _id, name } }: TileProps) {
  const [background, , , light] = createMosaic(_id, NO_TILES).palette;
  return (
    <span className="contact-tile" style={{ background, color: light }} aria-hidden="true">
      {initials({ name })}
    </span>
  );
}
