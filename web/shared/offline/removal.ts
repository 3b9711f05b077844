import { OWNER_CACHE, OWNER_DATABASE, PAGES_CACHE } from '#domain/offline.ts';

/** Of changes that wait for a network. */
export function removeQueues(): void {
  // Absent outside a browser.
  if ('indexedDB' in globalThis) indexedDB.deleteDatabase(OWNER_DATABASE);
}

/** With the notifications that are shown, and all that the pages have cached. Never throws. */
export async function removeOfflineCopy(): Promise<void> {
  // Neither exists over plain HTTP, and a browser may block both.
  if (!('serviceWorker' in navigator) || !('caches' in globalThis)) return;
  try {
    const registrations = navigator.serviceWorker.getRegistrations();
    await Promise.all([
      caches.delete(OWNER_CACHE),
      caches.delete(PAGES_CACHE),
      ...(await registrations).map(async (registration) => {
        await closeNotifications(registration).catch(() => undefined);
        await registration.unregister();
      }),
    ]);
  } catch {
    // Where storage is blocked, nothing was stored.
  }
}

/** They name visitors. */
async function closeNotifications(registration: ServiceWorkerRegistration): Promise<void> {
  if (!('getNotifications' in registration)) return;
  for (const notification of await registration.getNotifications()) notification.close();
}
