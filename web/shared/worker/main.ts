import { setCacheNameDetails } from 'workbox-core';
import { createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import type { PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';

import { OWNER_CACHE, PAGES_CACHE, photoKey } from '#domain/offline.ts';
import { OWNER_PAGES } from '#domain/page.ts';
import { PATHS } from '#domain/path.ts';
import { REMINDER } from '#domain/reminder.ts';
import { SHARED_FILE_FIELD, SHARED_PATH, SHARE_TARGET_PATH } from '#domain/share.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { fetchInTime } from '#web/shared/http/request.ts';

/*
 * The server writes the list of files in front. It never calls `skipWaiting`
 * (docs/product.md#offline).
 */
declare const self: ServiceWorkerGlobalScope & { readonly files: readonly PrecacheEntry[] };

const SEE_OTHER = 303;

setCacheNameDetails({ prefix: '', precache: PAGES_CACHE, suffix: '' });

precacheAndRoute([...self.files], { cleanURLs: false, directoryIndex: '' });
// One document for all owner's pages.
const OWNER_PATHS = new Set<string>(Object.values(OWNER_PAGES).map(({ path }) => path));
registerRoute(
  ({ request, url }) =>
    request.mode === 'navigate' && OWNER_PATHS.has(url.pathname.replace(/\/$/, '')),
  createHandlerBoundToURL(PATHS.dashboard),
);

// The cache holds the owner's photo in one size and returns it for every size.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && photoKey(url.pathname) !== null,
  async ({ request, url }) =>
    (await cachedPhoto(url.pathname).catch(logUnavailable)) ?? fetchInTime(request),
);

// A file that is not in the list, because many owners never need it.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  async ({ request, event }) => {
    const stored = await caches.match(request, { cacheName: PAGES_CACHE }).catch(logUnavailable);
    if (stored) return stored;
    const response = await fetchInTime(request);
    if (response.ok) event.waitUntil(store(request, response.clone()).catch(logUnavailable));
    return response;
  },
);

// The page reads the file of a contact, and removes it.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === SHARE_TARGET_PATH,
  async ({ request }) => {
    try {
      const file = (await request.formData()).get(SHARED_FILE_FIELD);
      const cache = await caches.open(OWNER_CACHE);
      if (file instanceof File) await cache.put(SHARE_TARGET_PATH, new Response(file));
    } catch (cause) {
      logUnavailable(cause);
    }
    return Response.redirect(SHARED_PATH, SEE_OTHER);
  },
  'POST',
);

async function store(request: Request, response: Response): Promise<void> {
  const cache = await caches.open(PAGES_CACHE);
  await cache.put(request, response);
}

/** The storage is full or blocked. */
function logUnavailable(cause: unknown): undefined {
  logFailure('The cache is not available', cause);
}

async function cachedPhoto(path: string): Promise<Response | undefined> {
  if (!(await caches.has(OWNER_CACHE))) return undefined;
  const cache = await caches.open(OWNER_CACHE);
  const requests = await cache.keys();
  const key = photoKey(path) ?? path;
  const found = requests.find(({ url }) => new URL(url).pathname.startsWith(key));
  return found && cache.match(found);
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
// A tap opens the dashboard (docs/product.md#notifications).
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const isReminder = event.notification.tag.startsWith(REMINDER);
  event.waitUntil(openPage(isReminder ? PATHS.contacts : PATHS.dashboard));
});

// The first version controls the page that registered it, so that its other pages open offline too.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

const ICON = '/icon-192.png';

/** An unreadable message too: browsers end a subscription whose messages show nothing. */
async function show(data: PushMessageData | null): Promise<void> {
  const { title, body, tag } = parse(data);
  await self.registration.showNotification(title, { body, icon: ICON, tag });
}

const UNREADABLE = { title: 'There is something new on your dashboard', body: '', tag: '' };

/** `notification` of a declarative message, which other browsers show without the worker. */
function parse(data: PushMessageData | null): typeof UNREADABLE {
  try {
    const { notification } = (data?.json() ?? {}) as { notification?: typeof UNREADABLE };
    return notification ?? UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** A page with unsaved input is left as it is. */
async function openPage(path: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find(({ url }) => new URL(url).pathname.replace(/\/$/, '') === path);
  if (open) await open.focus();
  else await self.clients.openWindow(path);
}
