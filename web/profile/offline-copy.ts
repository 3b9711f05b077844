import { OWNER_CACHE, WORKER_PATH, WORKER_SCOPE, photoKey } from '#domain/offline.ts';
import type { Profile } from '#domain/profile.ts';
import { STORAGE_KEYS } from '#domain/signin.ts';
import { fetchInTime } from '#web/http/request.ts';

/** The owner's profile as the server sent it. */
export interface LastSeen {
  readonly profile: unknown;
  readonly etag: string | undefined;
}

/** The key of the profile in the owner's cache. It is not an address of the server. */
const PROFILE_KEY = '/last-seen';
const ETAG = 'etag';

/**
 * Registers the service worker, and stores the profile with its photo. Does nothing where the browser
 * has no service worker; rejects where it blocks the storage.
 */
export async function updateOfflineCopy(profile: Profile, etag: string | undefined): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in globalThis) || !isSignedIn(profile)) return;
  const cache = await caches.open(OWNER_CACHE);
  const stored = new Response(JSON.stringify(profile));
  if (etag !== undefined) stored.headers.set(ETAG, etag);
  await cache.put(PROFILE_KEY, stored);
  if (!isSignedIn(profile)) return;
  await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
  await storePhoto(cache, profile.profilePhoto);
}

/** The stored profile; null if there is none. Rejects where the browser blocks the storage. */
export async function readLastSeen(): Promise<LastSeen | null> {
  const stored = await caches.match(PROFILE_KEY, { cacheName: OWNER_CACHE });
  if (!stored) return null;
  return { profile: await stored.json(), etag: stored.headers.get(ETAG) ?? undefined };
}

/** After log out in another tab nothing is stored any more. */
function isSignedIn({ _id }: Profile): boolean {
  return localStorage.getItem(STORAGE_KEYS.id) === _id;
}

/** Stores the photo, and removes another one. A photo on another origin is not stored. */
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
