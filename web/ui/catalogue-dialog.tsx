import './catalogue-dialog.css';

import { NETWORKS } from '#domain/network.ts';
import type { Network } from '#domain/network.ts';
import { NetworkIcon } from '#view/icon.tsx';
import { settings } from '#web/http/settings.ts';

import { IconButton } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface CatalogueDialogProps {
  /** The catalogue hides them. */
  readonly present: readonly Network[];
  readonly onChoose: (network: Network) => void;
  readonly onClose: () => void;
}

/** docs/product.md#networks. */
export function CatalogueDialog({ present, onChoose, onClose }: CatalogueDialogProps) {
  const offered = NETWORKS.filter((network) => !present.includes(network));
  return (
    <Dialog title="Add more" onClose={onClose} isWide>
      {offered.length === 0 && <p>You have added every network that there is.</p>}
      <ul className="catalogue">
        {offered.map((network) => (
          <li key={network} className="catalogue-entry">
            <NetworkIcon network={network} iconBaseUrl={settings().iconBaseUrl} />
            <span>{network}</span>
            <IconButton name={`Add ${network}`} icon="plus" onClick={() => onChoose(network)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
