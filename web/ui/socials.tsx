import './socials.css';

import { useId, useState } from 'react';

import type { SocialMediaHandles } from '#domain/handle.ts';
import type { Network } from '#domain/network.ts';
import { NetworkIcon } from '#view/icon.tsx';
import { settings } from '#web/http/settings.ts';

import { CatalogueDialog } from './catalogue-dialog.tsx';
import { HandleDialog } from './handle-dialog.tsx';
import { LineIcon } from './line-icon.tsx';

interface SocialsProps {
  /** In display order. */
  readonly tiles: readonly Network[];
  readonly handles: SocialMediaHandles;
  readonly onChange: (handles: SocialMediaHandles) => void;
}

type OpenDialog =
  | { readonly kind: 'catalogue' }
  | { readonly kind: 'handle'; readonly network: Network };

export function Socials({ tiles, handles, onChange }: SocialsProps) {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = () => setOpen(null);
  const edit = (network: Network) => setOpen({ kind: 'handle', network });
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
      {open?.kind === 'catalogue' && (
        <CatalogueDialog present={tiles} onChoose={edit} onClose={close} />
      )}
      {open?.kind === 'handle' && (
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

interface TileProps {
  readonly network: Network;
  readonly hasValue: boolean;
  readonly onClick: () => void;
}

function Tile({ network, hasValue, onClick }: TileProps) {
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
        // Hidden, because the accessible name is the network alone; referenced as the description.
        <span id={tagId} className="tile-tag" aria-hidden="true">
          Edit
        </span>
      )}
    </button>
  );
}

function AddMoreTile({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" className="tile tile-add" onClick={onClick}>
      <LineIcon name="plus" />
      <span className="tile-name">Add more</span>
    </button>
  );
}
