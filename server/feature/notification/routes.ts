import { getPushKey, subscribeToPush, unsubscribeFromPush } from '#contract/push.ts';
import { parseUrl } from '#domain/url.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError } from '#server/error.ts';
import { route } from '#server/http/route.ts';
import { isCurvePoint } from '#server/adapter/push/vapid.ts';

import { deleteSessionSubscription, saveSubscription } from './store.ts';

const HTTP = /^https?:/;

export function notificationRoutes(context: AppContext): void {
  const { database, clock, pushTransport } = context.dependencies;
  const { publicKey } = context.vapidKey;

  route(context, getPushKey, async () => ({ publicKey }));

  route(context, subscribeToPush, async ({ caller, body: { endpoint, keys }, request }) => {
    if (!pushTransport.isEndpoint(endpoint)) {
      throw new ApiError('invalid_input', 'endpoint must be the address of a push service');
    }
    if (!isCurvePoint(keys.p256dh)) {
      throw new ApiError('invalid_input', 'keys.p256dh must be a key of the curve P-256');
    }
    const now = clock.now();
    const page = request.headers.origin ?? '';
    const origin = HTTP.test(page) ? (parseUrl(page)?.origin ?? '') : '';
    const subscription = { endpoint: new URL(endpoint).href, keys, origin, now };
    await saveSubscription(database, caller, subscription);
    return { publicKey };
  });

  route(context, unsubscribeFromPush, async ({ caller }) => {
    await deleteSessionSubscription(database, caller.tokenHash);
    return {};
  });
}
