import { SECOND_MS } from '#domain/duration.ts';
import { PATHS } from '#domain/path.ts';

import { SERVER_ERROR_STATUS, request } from './request.ts';

/** While the service cannot be reached, it is checked again after this time. */
const CHECK_MS = 5 * SECOND_MS;

let hasFailed = false;
/** The state at the last call of the listeners. */
let wasOffline = false;
let pending: Promise<boolean> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Whether the browser has no network, or the service could not be reached. */
export function isOffline(): boolean {
  return hasFailed || !navigator.onLine;
}

/** Checks whether the service can be reached. While it cannot, it is checked again every 5 s. */
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

/** Calls the listeners if the state has changed since their last call. */
function notify(): void {
  if (isOffline() === wasOffline) return;
  wasOffline = isOffline();
  for (const listener of listeners) listener();
}

/** Calls `listener` after each change of `isOffline`. Returns a function that unsubscribes it. */
export function subscribeToConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls `listener` whenever the service can be reached again. Returns a function that unsubscribes it. */
export function onReconnect(listener: () => void): () => void {
  return subscribeToConnection(() => {
    if (!isOffline()) listener();
  });
}

// `window` does not exist when the documents are rendered at build time.
if (typeof window !== 'undefined') {
  wasOffline = isOffline();
  window.addEventListener('offline', notify);
  window.addEventListener('online', () => void checkConnection());
}
