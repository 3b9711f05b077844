import { PATHS } from '#domain/path.ts';
import { REMINDER } from '#domain/reminder.ts';

declare const self: ServiceWorkerGlobalScope;

const ICON = '/icon-192.png';

/** A tap opens the dashboard (docs/product.md#notifications). */
export function addPushListeners(): void {
  self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    const isReminder = event.notification.tag.startsWith(REMINDER);
    event.waitUntil(openPage(isReminder ? PATHS.contacts : PATHS.dashboard));
  });
}

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
