import { initials } from '#domain/display.ts';
import { idPalette } from '#domain/palette.ts';

interface TileProps {
  readonly contact: { readonly _id: string; readonly name: string };
}

/** Decorative: the person's name is next to it. */
export function Tile({ contact: { _id, name } }: TileProps) {
  const [background, , , light] = idPalette(_id).tones;
  return (
    <span className="contact-tile" style={{ background, color: light }} aria-hidden="true">
      {initials({ name })}
    </span>
  );
}
