import './share-options.css';

import { useEffect, useState } from 'react';

import { Button, IconButton } from '#web/shared/ui/button.tsx';
import { useInstallPrompt } from '#web/shared/ui/install-prompt.ts';

/** In local storage: 'shared' until the offer was shown, then 'offered'. */
const STORAGE_KEY = 'homeScreen';
const OPENS = 'opens /dashboard, with or without network.';

/** After the first share, once in a browser (docs/product.md#dashboard). */
export function HomeScreenOffer({ hasShared }: { readonly hasShared: boolean }) {
  const install = useInstallPrompt();
  const [stored] = useState(() => localStorage.getItem(STORAGE_KEY));
  const [isClosed, setClosed] = useState(false);
  const isWanted = stored === 'shared' || (hasShared && stored === null);
  const isShown = isWanted && !isClosed && (install !== null || isIosBrowser());
  useEffect(() => {
    if (isShown) localStorage.setItem(STORAGE_KEY, 'offered');
    else if (isWanted && localStorage.getItem(STORAGE_KEY) === null) {
      localStorage.setItem(STORAGE_KEY, 'shared');
    }
  }, [isWanted, isShown]);
  if (!isShown) return null;
  return (
    <aside className="home-offer panel" aria-label="Home screen">
      {install && <Button onClick={install}>Put it on your home screen</Button>}
      <p className="muted">
        {install
          ? `It ${OPENS}`
          : `To put it on your home screen, tap Share, then “Add to Home Screen”: it ${OPENS}`}
      </p>
      <IconButton name="Close" icon="close" onClick={() => setClosed(true)} />
    </aside>
  );
}

/** Only Safari on iOS has the property; true on the home screen. */
function isIosBrowser(): boolean {
  return (navigator as { readonly standalone?: boolean }).standalone === false;
}
