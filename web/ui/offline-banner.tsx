import './offline-banner.css';

import { useIsOffline } from '#web/http/use-is-offline.ts';

/** Says that there is no network (docs/product.md#offline). */
export function OfflineBanner() {
  const isOffline = useIsOffline();
  // Always rendered, so that screen readers announce its text when it appears.
  return (
    <output className="offline-banner">
      {isOffline && (
        <p>
          <span className="offline-banner-long">You are </span>offline
        </p>
      )}
    </output>
  );
}
