import { useEffect, useState } from 'react';

import { getGoogleWalletLink } from '#contract/wallet.ts';
import { passPath } from '#domain/share.ts';
import { call } from '#web/http/call.ts';
import { onReconnect } from '#web/http/connection.ts';
import { LineIcon } from '#web/ui/line-icon.tsx';

export function AppleWalletLink({ userId }: { readonly userId: string }) {
  return (
    <a className="text-button" href={passPath(userId)}>
      <LineIcon name="wallet" />
      Add to Apple Wallet
    </a>
  );
}

/** Absent until the server has signed it; requested again when there is a network again. */
export function GoogleWalletLink({ userId }: { readonly userId: string }) {
  const [url, setUrl] = useState('');
  const isLoaded = url !== '';
  useEffect(() => {
    if (isLoaded) return undefined;
    let isStopped = false;
    const load = async () => {
      const { body } = await call(getGoogleWalletLink, { params: { id: userId } });
      if (body && !isStopped) setUrl(body.url);
    };
    void load();
    const stopListening = onReconnect(() => void load());
    return () => {
      isStopped = true;
      stopListening();
    };
  }, [userId, isLoaded]);
  if (!isLoaded) return null;
  return (
    <a className="text-button" href={url} target="_blank" rel="noopener">
      <LineIcon name="wallet" />
      Add to Google Wallet
    </a>
  );
}
