import './connections.css';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';

import { getPushKey, subscribeToPush, unsubscribeFromPush } from '#contract/push.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { WORKER_PATH, WORKER_SCOPE } from '#domain/offline.ts';
import { CallError, call, send } from '#web/shared/http/call.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { withTimeout } from '#web/shared/http/request.ts';

/** Read once in a page load. */
const QUERY = {
  queryKey: ['notifications'],
  queryFn: restoreNotifications,
  staleTime: Infinity,
} as const;

/**
 * Offered once somebody has connected; one that is on can be switched off in any case. Nothing where
 * the browser has no notifications.
 */
export function NotifySwitch({ isOffered }: { readonly isOffered: boolean }) {
  const noteId = useId();
  const isSupported = hasNotifications();
  const { data: isOn = false } = useQuery({ ...QUERY, enabled: isSupported });
  const change = useMutation({
    mutationFn: isOn ? switchOff : switchOn,
    onSuccess: (isOnNow) => queryClient.setQueryData(QUERY.queryKey, isOnNow),
  });
  if (!isSupported || !(isOffered || isOn)) return null;
  const note =
    Notification.permission === 'denied' ? BLOCKED : 'On this device, for each new connection.';
  return (
    <div className="notify row">
      <button
        type="button"
        role="switch"
        className="text-button notify-switch"
        aria-checked={isOn}
        aria-busy={change.isPending}
        aria-describedby={noteId}
        onClick={() => !change.isPending && change.mutate()}
      >
        <span className="notify-track" />
        Notify me
      </button>
      <output id={noteId} className="notify-note note">
        {change.error?.message ?? note}
      </output>
    </div>
  );
}

const BLOCKED =
  'Your browser blocks notifications from this site. Allow them in the settings of the site, then switch this on.';
const FAILED = 'That did not work. Check your network and try again.';

function hasNotifications(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/**
 * Returns whether they are on. Registers the subscription again, since its address or the service's
 * key may have changed.
 */
async function restoreNotifications(): Promise<boolean> {
  if (Notification.permission !== 'granted') return false;
  const { registration, subscription } = await findSubscription();
  if (!registration || !subscription) return false;
  const reply = await call(subscribeToPush, { body: toBody(subscription) });
  const key = reply.body?.publicKey;
  if (key !== undefined && keyOf(subscription) !== key) {
    const body = toBody(await subscribe(registration, key));
    await call(subscribeToPush, { body });
  }
  return true;
}

/** Returns whether they are on now. Rejects with a sentence for the user. */
async function switchOn(): Promise<boolean> {
  // The first step, because Safari allows it only as the direct result of a press.
  const permission = await Notification.requestPermission();
  if (permission === 'denied') throw new Error(BLOCKED);
  if (permission !== 'granted') return false;
  const key = await send(getPushKey);
  const subscription = await subscribeWorker(key.body.publicKey).catch((cause: unknown) => {
    logFailure('Notifications were not switched on', cause);
    throw new Error(FAILED, { cause });
  });
  try {
    await send(subscribeToPush, { body: toBody(subscription) });
  } catch (error) {
    // Beyond a limit, the next start of the dashboard registers the browser.
    const isLimited = error instanceof CallError && error.error?.error === 'too_many_requests';
    if (!isLimited) await subscription.unsubscribe();
    throw error;
  }
  return true;
}

/** On the server first. Rejects with a sentence for the user. */
async function switchOff(): Promise<boolean> {
  await send(unsubscribeFromPush);
  try {
    await (await findSubscription()).subscription?.unsubscribe();
  } catch (cause) {
    // The server sends nothing any more.
    logFailure('The browser did not end its subscription', cause);
  }
  return false;
}

async function findSubscription() {
  const registration = await navigator.serviceWorker.getRegistration(WORKER_SCOPE);
  return { registration, subscription: await registration?.pushManager.getSubscription() };
}

/** At its first start. */
const WORKER_TIMEOUT_MS = 20 * SECOND_MS;

async function subscribeWorker(publicKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
  // It never rejects, not even if the worker cannot be installed.
  const registration = await withTimeout(navigator.serviceWorker.ready, WORKER_TIMEOUT_MS);
  return subscribe(registration, publicKey);
}

/** A subscription with another key is replaced. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  publicKey: string,
): Promise<PushSubscription> {
  const existing = await pushManager.getSubscription();
  if (existing && keyOf(existing) !== publicKey) await existing.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

function toBody(subscription: PushSubscription) {
  const { endpoint = '', keys } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } };
}

/** In base64url. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? []);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
