import type { ApiErrorBody } from '#contract/api-error.ts';
import { getPushKey, subscribeToPush, unsubscribeFromPush } from '#contract/push.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { WORKER_PATH, WORKER_SCOPE } from '#domain/offline.ts';
import { call } from '#web/shared/http/call.ts';
import { logFailure } from '#web/shared/http/log.ts';

/** At its first start. */
const WORKER_TIMEOUT_MS = 20 * SECOND_MS;

/** 'blocked' by the user. The server's error if it answered with one. */
export type NotificationResult = 'on' | 'off' | 'blocked' | 'failed' | ApiErrorBody;

export function hasNotifications(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

export function areNotificationsBlocked(): boolean {
  return Notification.permission === 'denied';
}

let isRegistered = false;

/** Registers the subscription again, since its address or the service's key may have changed. */
export async function restoreNotifications(userId: string): Promise<boolean> {
  if (Notification.permission !== 'granted') return false;
  const registration = await navigator.serviceWorker.getRegistration(WORKER_SCOPE);
  const subscription = await registration?.pushManager.getSubscription();
  if (!registration || !subscription) return false;
  if (isRegistered) return true;
  isRegistered = true;
  const reply = await send(userId, subscription);
  const key = reply.body?.publicKey;
  if (key !== undefined && keyOf(subscription) !== key) {
    await send(userId, await subscribe(registration, key));
  }
  return true;
}

/** Never throws. */
export async function switchNotificationsOn(userId: string): Promise<NotificationResult> {
  // The first step, because Safari allows it only as the direct result of a press.
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off';
  try {
    const key = await call(getPushKey, { params: { id: userId } });
    if (!key.body) return key.error ?? 'failed';
    const subscription = await subscribe(await activeWorker(), key.body.publicKey);
    const reply = await send(userId, subscription);
    if (reply.body) return 'on';
    // Beyond a limit, the next start of the dashboard registers the browser.
    if (reply.error?.error !== 'too_many_requests') await subscription.unsubscribe();
    return reply.error ?? 'failed';
  } catch (cause) {
    logFailure('Notifications were not switched on', cause);
    return 'failed';
  }
}

/** On the server first. Never throws. */
export async function switchNotificationsOff(userId: string): Promise<NotificationResult> {
  const reply = await call(unsubscribeFromPush, { params: { id: userId } });
  if (!reply.body) return reply.error ?? 'failed';
  try {
    const registration = await navigator.serviceWorker.getRegistration(WORKER_SCOPE);
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  } catch (cause) {
    // The server sends nothing any more.
    logFailure('The browser did not end its subscription', cause);
  }
  return 'off';
}

const send = (userId: string, subscription: PushSubscription) => {
  const { endpoint, keys } = subscription.toJSON();
  const body = {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
  };
  return call(subscribeToPush, { params: { id: userId }, body });
};

/** A subscription with another key is replaced. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  publicKey: string,
): Promise<PushSubscription> {
  const existing = await pushManager.getSubscription();
  if (existing && keyOf(existing) !== publicKey) await existing.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/** In base64url. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? []);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Throws if the service worker does not run in time. */
async function activeWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('The service worker did not start in time')),
      WORKER_TIMEOUT_MS,
    );
    void navigator.serviceWorker.ready.then((registration) => {
      clearTimeout(timer);
      return resolve(registration);
    });
  });
}
