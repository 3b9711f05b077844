import { OWNER_CACHE, WORKER_PATH, WORKER_SCOPE, photoKey } from '#domain/offline.ts';
import type { Profile } from '#domain/profile.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { fetchInTime } from '#web/shared/http/request.ts';
import { storedId } from '#web/shared/http/storage.ts';

/** Browsers without idle callbacks wait for this time. */
const IDLE_FALLBACK_MS = 500;

let newest: Profile | null = null;

/**
 * Registers the service worker and stores the photo, when the page is idle and only of the newest
 * profile (docs/product.md#offline). Never rejects.
 */
export async function storeOfflineCopy(profile: Profile): Promise<void> {
  const isScheduled = newest !== null;
  newest = profile;
  if (isScheduled) return;
  try {
    await pageIsIdle();
    const { _id, profilePhoto } = newest;
    // After log out in another tab nothing is stored any more.
    if ('serviceWorker' in navigator && 'caches' in globalThis && storedId() === _id) {
      await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
      await storePhoto(await caches.open(OWNER_CACHE), profilePhoto);
    }
  } catch (cause) {
    logFailure('The card was not stored for use without a network', cause);
  } finally {
    newest = null;
  }
}

/** So that nothing delays the first view. */
async function pageIsIdle(): Promise<void> {
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => {
      window.addEventListener('load', resolve, { once: true });
    });
  }
  await new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve);
    else setTimeout(resolve, IDLE_FALLBACK_MS);
  });
}

/** Removes another photo. One on another origin is not stored. */
async function storePhoto(cache: Cache, profilePhoto: string): Promise<void> {
  const photo = new URL(profilePhoto, location.origin);
  const key = photo.origin === location.origin ? photoKey(photo.pathname) : null;
  const requests = await cache.keys();
  for (const request of requests) {
    const storedKey = photoKey(new URL(request.url).pathname);
    if (storedKey !== null && storedKey !== key) await cache.delete(request);
  }
  if (key === null || (await cache.match(photo.href))) return;
  const response = await fetchInTime(photo.href);
  if (!response.ok) throw new Error(`The photo was answered with ${response.status}`);
  await cache.put(photo.href, response);
}
