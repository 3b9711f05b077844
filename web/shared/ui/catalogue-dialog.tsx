import { catalogueNetworks } from '#domain/onboarding.ts';
import type { Network } from '#domain/network.ts';
import { NetworkIcon } from '#view/icon.tsx';
import { settings } from '#web/shared/http/settings.ts';

import { IconButton } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface CatalogueDialogProps {
  /** The networks that the form already shows. The catalogue leaves them out. */
  readonly excluded: readonly Network[];
  readonly onChoose: (network: Network) => void;
  readonly onClose: () => void;
}

/** See docs/develop/product.md#networks. */
export function CatalogueDialog({ excluded, onChoose, onClose }: CatalogueDialogProps) {
  const offered = catalogueNetworks(excluded);
  return (
    <Dialog className="dialog dialog-wide panel" title="Add more" onClose={onClose}>
      {offered.length === 0 && <p>You've added every network there is.</p>}
      <ul className="catalogue">
        {offered.map((network) => (
          <li key={network} className="catalogue-entry row">
            <NetworkIcon network={network} iconBaseUrl={settings().iconBaseUrl} />
            <span>{network}</span>
            <IconButton
              name={`Add ${network}`}
              icon="plus"
              className="covers"
              onClick={() => onChoose(network)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
