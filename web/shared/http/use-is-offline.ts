import { useSyncExternalStore } from 'react';

import { isOffline, subscribeToConnection } from './connection.ts';

export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribeToConnection, isOffline, () => false);
}
