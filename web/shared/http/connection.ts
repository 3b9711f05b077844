import { onlineManager } from '@tanstack/query-core';

import { SECOND_MS } from '#domain/duration.ts';
import { PATHS } from '#domain/path.ts';

import { SERVER_ERROR_STATUS, request } from './request.ts';

const CHECK_MS = 5 * SECOND_MS;

let pending: Promise<boolean> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Returns whether the browser has no network or the last check could not reach the service. */
export const isOffline = (): boolean => !onlineManager.isOnline();

/** Calls the listener after each change of `isOffline`. Returns the function that unsubscribes. */
export const subscribeToConnection = (listener: () => void): (() => void) =>
  onlineManager.subscribe(listener);

/** Calls the listener whenever the service can be reached again. Returns the function that unsubscribes. */
export const onReconnect = (listener: () => void): (() => void) =>
  onlineManager.subscribe((isOnline) => isOnline && listener());

/** Returns whether the service can be reached. If it cannot, the check repeats every 5 s until it can. */
export function checkConnection(): Promise<boolean> {
  pending ??= isReachable().finally(() => (pending = null));
  return pending;
}

async function isReachable(): Promise<boolean> {
  clearTimeout(timer);
  const isReached = await request(PATHS.start, { method: 'HEAD', cache: 'no-store' }).then(
    ({ response }) => response.status < SERVER_ERROR_STATUS,
    () => false,
  );
  if (!isReached) timer = setTimeout(() => void checkConnection(), CHECK_MS);
  onlineManager.setOnline(isReached && navigator.onLine);
  return isReached;
}

// `window` does not exist in unit tests.
if (typeof window !== 'undefined') {
  // By default, the manager believes the browser's event `online` without a check.
  onlineManager.setEventListener(() => undefined);
  onlineManager.setOnline(navigator.onLine);
  window.addEventListener('offline', () => onlineManager.setOnline(false));
  window.addEventListener('online', () => void checkConnection());
}
