import './connections.css';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';

import { getPushKey, subscribeToPush, unsubscribeFromPush } from '#contract/push.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { WORKER_PATH, WORKER_SCOPE } from '#domain/offline.ts';
import { CallError, call, send } from '#web/shared/http/call.ts';
import { queryClient, useIsOffline } from '#web/shared/http/query.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { withTimeout } from '#web/shared/http/request.ts';
import { LoadState } from '#web/shared/ui/note-box.tsx';
import { Switch } from '#web/shared/ui/switch.tsx';

/** The subscription is restored once in a page load. */
const RESTORE_QUERY = {
  queryKey: ['notifications'],
  queryFn: restoreNotifications,
  staleTime: Infinity,
} as const;

/**
 * The switch appears once somebody has connected. While notifications are on, it always appears, so that they can
 * be switched off. It renders nothing if the browser does not support notifications.
 */
export function NotifySwitch({ isOffered }: { readonly isOffered: boolean }) {
  const noteId = useId();
  const isSupported = hasNotifications();
  const restoring = useQuery({ ...RESTORE_QUERY, enabled: isSupported });
  // Only a browser with a subscription can fail to register it. After such a failure the switch is on.
  const isOn = restoring.data ?? restoring.error instanceof CallError;
  const isOffline = useIsOffline();
  const change = useMutation({
    mutationFn: isOn ? switchOff : switchOn,
    onSuccess: (isOnNow) => queryClient.setQueryData(RESTORE_QUERY.queryKey, isOnNow),
  });
  if (!isSupported || !(isOffered || isOn)) return null;
  const note =
    Notification.permission === 'denied'
      ? BLOCKED_ADVICE
      : 'Tells you on this device when someone connects.';
  return (
    <div className="notify row">
      {!isOffline && (
        <LoadState
          query={restoring}
          sentence="We couldn't turn on notifications for this browser, so they may not arrive."
        />
      )}
      <Switch
        isOn={isOn}
        isBusy={change.isPending}
        aria-describedby={noteId}
        onClick={() => change.mutate()}
      >
        Notify me
      </Switch>
      <output id={noteId} className="notify-note note">
        {change.error?.message ?? note}
      </output>
    </div>
  );
}

const BLOCKED_ADVICE =
  "Your browser blocks notifications from this site. Allow them in the site's settings, then switch this on.";
const FAILED = "That didn't work. Check your network and try again.";

function hasNotifications(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/**
 * Returns whether notifications are on. Registers the subscription again, because its endpoint or the service's
 * key may have changed.
 */
async function restoreNotifications(): Promise<boolean> {
  if (Notification.permission !== 'granted') return false;
  const { registration, subscription } = await findSubscription();
  if (!registration || !subscription) return false;
  const key = await registerSubscription(subscription);
  if (key !== null && readServerKey(subscription) !== key)
    await registerSubscription(await subscribe(registration, key));
  return true;
}

/** Returns the service's key, or null if a limit delays this until a later start. Rejects with a CallError. */
async function registerSubscription(subscription: PushSubscription): Promise<string | null> {
  const result = await call(subscribeToPush, { body: toRequestBody(subscription) });
  if (result.body) return result.body.publicKey;
  if (result.error?.error === 'too_many_requests') return null;
  throw new CallError(result);
}

/** Returns whether notifications are on now. Rejects with a sentence for the user. */
async function switchOn(): Promise<boolean> {
  // This comes first, because Safari allows it only as the direct result of a press.
  const permission = await Notification.requestPermission();
  if (permission === 'denied') throw new Error(BLOCKED_ADVICE);
  if (permission !== 'granted') return false;
  const key = await send(getPushKey);
  const subscription = await subscribeWorker(key.body.publicKey).catch((cause: unknown) => {
    logFailure('Notifications were not switched on', cause);
    throw new Error(FAILED, { cause });
  });
  try {
    await send(subscribeToPush, { body: toRequestBody(subscription) });
  } catch (error) {
    // If a rate limit was reached, the next start of the dashboard registers the subscription.
    const isLimited = error instanceof CallError && error.error?.error === 'too_many_requests';
    if (!isLimited) await subscription.unsubscribe();
    throw error;
  }
  return true;
}

/** Ends the subscription on the server first. Rejects with a sentence for the user. */
async function switchOff(): Promise<boolean> {
  await send(unsubscribeFromPush);
  try {
    await (await findSubscription()).subscription?.unsubscribe();
  } catch (cause) {
    // Notifications are off all the same, because the server sends no more.
    logFailure('The browser did not end its subscription', cause);
  }
  return false;
}

async function findSubscription() {
  const registration = await navigator.serviceWorker.getRegistration(WORKER_SCOPE);
  return { registration, subscription: await registration?.pushManager.getSubscription() };
}

/** The longest time that the first start of the worker may take. */
const WORKER_TIMEOUT_MS = 20 * SECOND_MS;

async function subscribeWorker(publicKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
  // `ready` never rejects, not even if the worker cannot be installed.
  const registration = await withTimeout(navigator.serviceWorker.ready, WORKER_TIMEOUT_MS);
  return subscribe(registration, publicKey);
}

/** Replaces a subscription that was made with another key. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  publicKey: string,
): Promise<PushSubscription> {
  const existing = await pushManager.getSubscription();
  if (existing && readServerKey(existing) !== publicKey) await existing.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

function toRequestBody(subscription: PushSubscription) {
  const { endpoint = '', keys } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } };
}

/** Returns the server's key that the subscription was made with, in base64url. */
function readServerKey({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? []);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
