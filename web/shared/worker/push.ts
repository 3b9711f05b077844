import { PATHS } from '#domain/path.ts';

declare const self: ServiceWorkerGlobalScope;

const ICON = '/icon-192.png';

/** A tap opens the dashboard (docs/product.md#notifications). */
export function addPushListeners(): void {
  self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openDashboard());
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
async function openDashboard(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const dashboard = pages.find(({ url }) => isDashboard(new URL(url)));
  if (dashboard) await dashboard.focus();
  else await self.clients.openWindow(PATHS.dashboard);
}

const isDashboard = ({ pathname }: URL) => pathname.replace(/\/$/, '') === PATHS.dashboard;
