import { SHARED_TILE_BOX, sharedTile } from '#domain/shared-tile.ts';

interface SharedTileProps {
  readonly ownerId: string;
  readonly contactId: string;
}

/** The tile is decorative, because the person's name is next to it. */
export function SharedTile({ ownerId, contactId }: SharedTileProps) {
  return (
    <svg
      className="shared-tile"
      viewBox={SHARED_TILE_BOX}
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: sharedTile(ownerId, contactId) }}
    />
  );
}
