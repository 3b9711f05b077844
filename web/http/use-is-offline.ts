import { useSyncExternalStore } from 'react';

import { isOffline, subscribeToConnection } from './connection.ts';

/** Whether the browser has no network, or the service could not be reached. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribeToConnection, isOffline, () => false);
}
