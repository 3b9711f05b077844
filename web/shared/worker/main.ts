import { setCacheNameDetails } from 'workbox-core';
import { createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import type { PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';

import { OWNER_CACHE, PAGES_CACHE, photoCachePrefix } from '#domain/offline.ts';
import { OWNER_PAGES } from '#domain/page.ts';
import { PATHS } from '#domain/path.ts';
import { REMINDER_PREFIX } from '#domain/reminder.ts';
import {
  CONTACT_FILE_SIZE_BYTES_MAX,
  SHARED_FILE_FIELD,
  SHARED_PATH,
  SHARE_TARGET_PATH,
} from '#domain/share.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { fetchInTime } from '#web/shared/http/request.ts';

/*
 * The server writes the list of files in front of this script. The worker never calls `skipWaiting`
 * (docs/develop/product.md#offline).
 */
declare const self: ServiceWorkerGlobalScope & { readonly files: readonly PrecacheEntry[] };

const SEE_OTHER = 303;

setCacheNameDetails({ prefix: '', precache: PAGES_CACHE, suffix: '' });

precacheAndRoute([...self.files], { cleanURLs: false, directoryIndex: '' });
// All of the owner's pages use the same document.
const OWNER_PATHS = new Set<string>(Object.values(OWNER_PAGES).map(({ path }) => path));
registerRoute(
  ({ request, url }) =>
    request.mode === 'navigate' && OWNER_PATHS.has(url.pathname.replace(/\/$/, '')),
  createHandlerBoundToURL(PATHS.dashboard),
);

// The cache holds the owner's photo in one size and returns it for every size.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && photoCachePrefix(url.pathname) !== null,
  async ({ request, url }) =>
    (await cachedPhoto(url.pathname).catch(logUnavailable)) ?? fetchInTime(request),
);

// A contact file that is shared with the application is cached, until the page reads and removes it.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === SHARE_TARGET_PATH,
  async ({ request }) => {
    try {
      const file = (await request.formData()).get(SHARED_FILE_FIELD);
      const cache = await caches.open(OWNER_CACHE);
      await cache.delete(SHARE_TARGET_PATH);
      if (file instanceof File && file.size <= CONTACT_FILE_SIZE_BYTES_MAX)
        await cache.put(SHARE_TARGET_PATH, new Response(file));
    } catch (cause) {
      logUnavailable(cause);
    }
    return Response.redirect(SHARED_PATH, SEE_OTHER);
  },
  'POST',
);

function logUnavailable(cause: unknown): undefined {
  logFailure('The cache is not available', cause);
}

async function cachedPhoto(path: string): Promise<Response | undefined> {
  if (!(await caches.has(OWNER_CACHE))) return undefined;
  const cache = await caches.open(OWNER_CACHE);
  const requests = await cache.keys();
  const key = photoCachePrefix(path) ?? path;
  const found = requests.find(({ url }) => new URL(url).pathname.startsWith(key));
  return found && cache.match(found);
}

self.addEventListener('push', (event) => event.waitUntil(showNotification(event.data)));
// Tapping a notification opens the dashboard, or the contacts for a reminder (docs/develop/product.md#notifications).
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const isReminder = event.notification.tag.startsWith(REMINDER_PREFIX);
  event.waitUntil(openPage(isReminder ? PATHS.contacts : PATHS.dashboard));
});

// A newly installed worker takes control of the page that registered it, so that other pages open offline too.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

const ICON = '/icon-192.png';

/** Shows every message, even an unreadable one. Browsers end a subscription whose messages show nothing. */
async function showNotification(data: PushMessageData | null): Promise<void> {
  const { title, body, tag } = parse(data);
  await self.registration.showNotification(title, { body, icon: ICON, tag });
}

const UNREADABLE = { title: "There's something new on your dashboard", body: '', tag: '' };

/** Reads the `notification` of a declarative message, which some browsers show without a worker. */
function parse(data: PushMessageData | null): typeof UNREADABLE {
  try {
    const { notification } = (data?.json() ?? {}) as { notification?: typeof UNREADABLE };
    return notification ?? UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** Focuses an open tab with the page, or opens a new one. No other tab navigates, so no unsaved input is lost. */
async function openPage(path: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find(({ url }) => new URL(url).pathname.replace(/\/$/, '') === path);
  if (open) await open.focus();
  else await self.clients.openWindow(path);
}
