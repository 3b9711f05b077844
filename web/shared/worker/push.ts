import { PATHS } from '#domain/path.ts';

declare const self: ServiceWorkerGlobalScope;

// TypeScript's library does not declare it (Notifications API, section 2.6).
declare global {
  interface NotificationOptions {
    readonly renotify?: boolean;
  }
}

/** Systems show less. */
const TEXT_LENGTH_MAX = 200;
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
  await self.registration.showNotification(title, {
    body,
    icon: ICON,
    tag,
    renotify: true,
  });
}

const UPI_CHANGED = {
  title: 'The UPI ID on your card was changed',
  body: 'If it was not you, remove it in Edit Profile, and log out everywhere else in Account and data.',
  tag: 'upi',
};

function parse(data: PushMessageData | null) {
  let content: Record<string, unknown> | undefined;
  try {
    content = data?.json() as Record<string, unknown>;
  } catch {
    // Shown as a contact without a name.
  }
  if (content?.['changed'] === 'upi') return UPI_CHANGED;
  const [name, body] = [text(content?.['name']), text(content?.['companyName'])];
  const title = name === '' ? 'Somebody left their details' : `${name} left their details`;
  // The same contact sent twice replaces its own notification; another visitor of that name alerts.
  return { title, body, tag: `${name}\n${body}` };
}

const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, TEXT_LENGTH_MAX) : '');

/** A page with unsaved input is left as it is. */
async function openDashboard(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const dashboard = pages.find(({ url }) => isDashboard(new URL(url)));
  if (dashboard) await dashboard.focus();
  else await self.clients.openWindow(PATHS.dashboard);
}

const isDashboard = ({ pathname }: URL) => pathname.replace(/\/$/, '') === PATHS.dashboard;
