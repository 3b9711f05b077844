import { SECOND_MS } from '#domain/duration.ts';
import { PATHS } from '#domain/path.ts';

import { SERVER_ERROR_STATUS, request } from './request.ts';

const CHECK_MS = 5 * SECOND_MS;

let hasFailed = false;
/** At the last call of the listeners. */
let wasOffline = false;
let pending: Promise<boolean> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Whether the browser has no network, or the service could not be reached. */
export function isOffline(): boolean {
  return hasFailed || !navigator.onLine;
}

/** While the service cannot be reached, it is checked again every 5 s. */
export function checkConnection(): Promise<boolean> {
  pending ??= isReachable().finally(() => (pending = null));
  return pending;
}

async function isReachable(): Promise<boolean> {
  clearTimeout(timer);
  const isOk = await request(PATHS.start, { method: 'HEAD', cache: 'no-store' }).then(
    ({ response }) => response.status < SERVER_ERROR_STATUS,
    () => false,
  );
  hasFailed = !isOk;
  if (!isOk) timer = setTimeout(() => void checkConnection(), CHECK_MS);
  notify();
  return isOk;
}

function notify(): void {
  if (isOffline() === wasOffline) return;
  wasOffline = isOffline();
  for (const listener of listeners) listener();
}

/** Called after each change of `isOffline`. Returns the function that unsubscribes. */
export function subscribeToConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the function that unsubscribes. */
export function onReconnect(listener: () => void): () => void {
  return subscribeToConnection(() => {
    if (!isOffline()) listener();
  });
}

// `window` does not exist in unit tests.
if (typeof window !== 'undefined') {
  wasOffline = isOffline();
  window.addEventListener('offline', notify);
  window.addEventListener('online', () => void checkConnection());
}
