import './share-options.css';

import { Link } from 'react-router';

import { PATHS } from '#domain/path.ts';
import { settings } from '#web/http/settings.ts';
import { LineIcon } from '#web/ui/line-icon.tsx';

import { NfcButton } from './nfc-button.tsx';
import { AppleWalletLink, GoogleWalletLink } from './wallet-links.tsx';

interface ShareOptionsProps {
  readonly userId: string;
  readonly link: string;
}

/** One that cannot work here is absent. */
export function ShareOptions({ userId, link }: ShareOptionsProps) {
  const { wallets } = settings();
  return (
    <div className="share-options">
      <Link className="text-button" to={PATHS.signature}>
        <LineIcon name="mail" />
        E-mail signature
      </Link>
      {'NDEFReader' in window && <NfcButton link={link} />}
      {wallets.includes('apple') && <AppleWalletLink userId={userId} />}
      {wallets.includes('google') && <GoogleWalletLink userId={userId} />}
    </div>
  );
}
