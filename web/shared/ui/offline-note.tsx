import './note-box.css';

import { useIsOffline } from '#web/shared/http/use-is-offline.ts';

/** docs/product.md#offline. */
export function OfflineNote() {
  const isOffline = useIsOffline();
  // Always rendered, so that screen readers announce its text when it appears.
  return <output className="offline-note">{isOffline && <p className="tag">Offline</p>}</output>;
}
