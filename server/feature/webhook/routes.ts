import { getWebhook, renewSecret, testWebhook, updateWebhook } from '#contract/webhook.ts';
import type { AppContext } from '#server/context.ts';
import { createSecretBox, newSecret } from '#server/adapter/webhook/secret.ts';
import { stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import { ApiError } from '#server/error.ts';
import { addressPrefixes } from '#server/http/limit/address.ts';
import { createOwnerRateLimit } from '#server/http/limit/rate-limit.ts';
import { route } from '#server/http/route.ts';
import type { Caller } from '#server/http/route.ts';

import { findWebhook, queueTest, replaceSecret, setWebhook } from './store.ts';

/** docs/product.md#webhooks. */
export function webhookRoutes(context: AppContext): void {
  const { dependencies, providerTokens, notificationQueue, webhookQueue } = context;
  const { database, clock, webhookTransport } = dependencies;
  const box = createSecretBox(dependencies.secret);
  const tests = createOwnerRateLimit(clock, 'tests of a webhook');

  route(context, getWebhook, ({ caller }) => findWebhook(database, caller.userId));

  interface Verified {
    readonly caller: Caller;
    readonly request: { readonly ip: string };
    readonly token: string | null | undefined;
  }

  /** Makes a secret with a fresh verification of the login phone, and tells every device. */
  async function makeSecret(
    { caller, request, token }: Verified,
    store: (change: Parameters<typeof replaceSecret>[1]) => Promise<void>,
  ) {
    const { userId } = caller;
    const secret = newSecret();
    const sealed = await box.seal(secret);
    const owner = { caller, address: addressPrefixes(request.ip) };
    await providerTokens.consumeOfOwner([token], owner, (_, verification) =>
      store({ userId, now: clock.now(), sealed, verification }),
    );
    notificationQueue.wake(userId);
    return { secret };
  }

  route(context, updateWebhook, async ({ caller, body: { url, token }, request }) => {
    if (url === null) {
      await database.run(stopWebhookStatement(caller.userId));
      return { secret: null };
    }
    const endpoint = url.trim();
    if (!webhookTransport.isEndpoint(endpoint))
      throw new ApiError('invalid_input', 'url must be an https address of a public host');
    return makeSecret({ caller, request, token }, (change) =>
      setWebhook(database, { ...change, endpoint: new URL(endpoint).href }),
    );
  });

  route(context, renewSecret, ({ caller, body: { token }, request }) =>
    makeSecret({ caller, request, token }, (change) => replaceSecret(database, change)),
  );

  route(context, testWebhook, async ({ caller: { userId } }) => {
    tests.countOrThrow(userId);
    await queueTest(database, userId, clock.now());
    webhookQueue.wake(userId);
    return {};
  });
}
