import './tile.css';

import { useId } from 'react';

import type { Network } from '#domain/network.ts';
import { NetworkIcon } from '#view/icon.tsx';
import { settings } from '#web/http/settings.ts';

import { Glyph } from './glyph.tsx';

interface TileProps {
  readonly network: Network;
  readonly hasValue: boolean;
  readonly onClick: () => void;
}

/** One social network of the owner's; a press edits its link. */
export function Tile({ network, hasValue, onClick }: TileProps) {
  const tagId = useId();
  return (
    <button
      type="button"
      className={hasValue ? 'tile tile-filled' : 'tile'}
      aria-describedby={hasValue ? tagId : undefined}
      onClick={onClick}
    >
      <NetworkIcon network={network} iconBaseUrl={settings().iconBaseUrl} />
      <span className="tile-name">{network}</span>
      {hasValue && (
        // Hidden from the name, which is the network alone; it is the description.
        <span id={tagId} className="tile-tag" aria-hidden="true">
          Edit
        </span>
      )}
    </button>
  );
}

/** The tile that opens the catalogue. */
export function AddMoreTile({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" className="tile tile-add" onClick={onClick}>
      <Glyph name="plus" />
      <span className="tile-name">Add more</span>
    </button>
  );
}
