import { getUser } from '#contract/user.ts';
import { OWNER_CACHE, WORKER_PATH, WORKER_SCOPE, photoKey } from '#domain/offline.ts';
import type { Profile } from '#domain/profile.ts';
import { logFailure } from '#web/shared/http/log.ts';
import { fetchInTime } from '#web/shared/http/request.ts';
import { storedId } from '#web/shared/http/session.ts';
import { settings } from '#web/shared/http/settings.ts';

import { updateLastContacts } from './last-contacts.ts';

/** Browsers without idle callbacks wait for this time. */
const IDLE_FALLBACK_MS = 500;

/** In the owner's cache. It is not an address of the server. */
const PROFILE_KEY = '/last-seen';
const ETAG = 'etag';

export interface LoadedProfile {
  readonly profile: Profile;
  /** Undefined if the server sends none. */
  readonly etag: string | undefined;
  /** The browser's copy, because the server has not answered. */
  readonly isLastSeen?: boolean;
}

let newest: LoadedProfile | null = null;

/** When the page is idle, only the newest (docs/product.md#offline). */
export function storeLastSeenProfile(loaded: LoadedProfile): void {
  const isScheduled = newest !== null;
  newest = loaded;
  if (!isScheduled) void storeWhenIdle();
}

async function storeWhenIdle(): Promise<void> {
  try {
    await pageIsIdle();
    const loaded = newest;
    newest = null;
    if (loaded) await store(loaded);
  } catch (cause) {
    newest = null;
    logFailure('The card was not stored for use without a network', cause);
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

/** Registers the service worker too, where the browser has one. */
async function store({ profile, etag }: LoadedProfile): Promise<void> {
  // After log out in another tab nothing is stored any more.
  const isSignedIn = () => storedId() === profile._id;
  if (!('serviceWorker' in navigator) || !('caches' in globalThis) || !isSignedIn()) return;
  const cache = await caches.open(OWNER_CACHE);
  const stored = new Response(JSON.stringify(profile));
  if (etag !== undefined) stored.headers.set(ETAG, etag);
  await cache.put(PROFILE_KEY, stored);
  if (!isSignedIn()) return;
  await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
  await storePhoto(cache, profile.profilePhoto);
  if (settings().views.includes('contacts')) await updateLastContacts();
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

/** Null for another owner. Never throws. */
export async function readLastSeenProfile(id: string): Promise<LoadedProfile | null> {
  // Without a worker nothing is stored.
  if (!('serviceWorker' in navigator) || !navigator.serviceWorker.controller) return null;
  try {
    const stored = await caches.match(PROFILE_KEY, { cacheName: OWNER_CACHE });
    // Anything can write to a browser's storage.
    const profile = getUser.reply.safeParse(await stored?.json()).data;
    if (profile?._id !== id) return null;
    return { profile, etag: stored?.headers.get(ETAG) ?? undefined, isLastSeen: true };
  } catch (cause) {
    logFailure('The card as last seen could not be read', cause);
    return null;
  }
}
