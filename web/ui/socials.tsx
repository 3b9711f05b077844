import { useState } from 'react';

import type { SocialMediaHandles } from '#domain/handle.ts';
import type { Network } from '#domain/network.ts';

import { CatalogueDialog } from './catalogue-dialog.tsx';
import { HandleDialog } from './handle-dialog.tsx';
import { AddMoreTile, Tile } from './tile.tsx';

interface SocialsProps {
  /** The tiles to show, in their order; networks added here join them at the end. */
  readonly tiles: readonly Network[];
  readonly handles: SocialMediaHandles;
  readonly onChange: (handles: SocialMediaHandles) => void;
}

type Open = { readonly kind: 'nothing' } | { readonly kind: 'catalogue' } | Entry;
interface Entry {
  readonly kind: 'entry';
  readonly network: Network;
}

const NOTHING: Open = { kind: 'nothing' };

/** The grid of the owner's socials with its two pop-ups. */
export function Socials({ tiles, handles, onChange }: SocialsProps) {
  const [open, setOpen] = useState<Open>(NOTHING);
  const close = () => setOpen(NOTHING);
  const edit = (network: Network) => setOpen({ kind: 'entry', network });
  return (
    <>
      <ul className="tiles">
        {tiles.map((network) => (
          <li key={network}>
            <Tile
              network={network}
              hasValue={Boolean(handles[network])}
              onClick={() => edit(network)}
            />
          </li>
        ))}
        <li>
          <AddMoreTile onClick={() => setOpen({ kind: 'catalogue' })} />
        </li>
      </ul>
      {open.kind === 'catalogue' && (
        <CatalogueDialog present={tiles} onChoose={edit} onClose={close} />
      )}
      {open.kind === 'entry' && (
        <HandleDialog
          network={open.network}
          value={handles[open.network] ?? ''}
          onClose={close}
          onSave={(value) => {
            onChange({ ...handles, [open.network]: value });
            close();
          }}
        />
      )}
    </>
  );
}
