import { getWebhook, renewSecret, testWebhook, updateWebhook } from '#contract/webhook.ts';
import { DAY_MS } from '#domain/duration.ts';
import type { AppContext } from '#server/context.ts';
import { rehearse } from '#server/adapter/database/database.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { queueNoticeStatement } from '#server/adapter/push/notification.ts';
import {
  DELIVERIES_MAX,
  createSecretBox,
  newSecret,
  sendTest,
} from '#server/adapter/webhook/delivery.ts';
import { removeStoppedWebhooks, stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import { ApiError } from '#server/error.ts';
import { createOwnerRateLimit } from '#server/http/limit.ts';
import { route } from '#server/http/route.ts';
import type { Call } from '#server/http/route.ts';
import { newToken } from '#server/token.ts';

/** After a renewal, the previous secret signs too for this long. */
const PREVIOUS_SECRET_MS = DAY_MS;

/** Registers the calls that manage an owner's webhook (docs/develop/product.md#webhooks). */
export function webhookRoutes(context: AppContext): void {
  const { dependencies, webhookQueue } = context;
  const { database, clock } = dependencies;
  const testLimit = createOwnerRateLimit(clock, 'tests of a webhook');
  secretRoutes(context);

  route(context, getWebhook, async ({ caller: { userId } }) => {
    const webhook = await database.one<{ url: string }>(
      sql`SELECT endpoint AS url FROM webhooks WHERE user_id = ${userId} AND secret <> ''`,
    );
    const deliveries = await database.all<
      Record<'id' | 'type' | 'status', string> & { time: number }
    >(
      sql`SELECT id, type, status, sent_at AS time FROM webhook_deliveries
        WHERE user_id = ${userId} ORDER BY sent_at DESC, id LIMIT ${DELIVERIES_MAX}`,
    );
    const toReply = ({ time, ...delivery }: (typeof deliveries)[number]) => ({
      ...delivery,
      time: new Date(time).toISOString(),
    });
    return { url: webhook?.url ?? null, deliveries: deliveries.map(toReply) };
  });

  route(context, testWebhook, async ({ caller: { userId } }) => {
    testLimit.countOrThrow(userId);
    const reply = await sendTest(dependencies, webhookQueue, userId);
    if (reply === null) throw noWebhookError();
    return { isSent: reply.result === 'sent', status: reply.reason };
  });
}

type VerifiedCall = Pick<Call<typeof renewSecret>, 'caller' | 'body' | 'request'>;

function secretRoutes(context: AppContext): void {
  const { dependencies, providerTokens, notificationQueue } = context;
  const { database, clock, webhookTransport } = dependencies;
  const secretBox = createSecretBox(dependencies.secret);

  /** Stores a new secret after a fresh verification of the login phone, and notifies every device. */
  async function storeNewSecret(
    { caller, body: { token }, request }: VerifiedCall,
    store: (sealed: string) => readonly Statement[],
    beforeStore?: () => Promise<void>,
  ) {
    const { userId } = caller;
    const secret = newSecret();
    const statements = store(await secretBox.seal(secret));
    const notice = queueNoticeStatement('webhook', userId, clock.now());
    await providerTokens.consumeForOwner([token], { caller, request }, async (_, verification) => {
      if (beforeStore) {
        await rehearse(database, verification);
        await beforeStore();
      }
      return database.batch([...verification, ...statements, notice]);
    });
    notificationQueue.wake(userId);
    return { secret };
  }

  route(context, updateWebhook, async (call) => {
    const { userId } = call.caller;
    // Events that wait for the previous webhook are never sent.
    const removeWebhook = async () => {
      await database.run(stopWebhookStatement(userId));
      await removeStoppedWebhooks(database);
    };
    if (call.body.url === null) {
      await removeWebhook();
      return { secret: null };
    }
    const url = call.body.url.trim();
    if (!webhookTransport.isEndpoint(url))
      throw new ApiError(
        'invalid_input',
        'The webhook URL must begin with https and have a public host.',
      );
    const store = (sealed: string) => [
      // Another tab may have connected a webhook in the meantime.
      sql`DELETE FROM webhooks WHERE user_id = ${userId}`,
      sql`INSERT INTO webhooks (webhook_id, user_id, endpoint, secret)
        VALUES (${newToken()}, ${userId}, ${new URL(url).href}, ${sealed})`,
    ];
    return storeNewSecret(call, store, removeWebhook);
  });

  route(context, renewSecret, (call) =>
    storeNewSecret(call, (sealed) => [
      {
        sql: sql`UPDATE webhooks SET previous_secret = secret, secret = ${sealed},
          previous_until = ${clock.now() + PREVIOUS_SECRET_MS}
          WHERE user_id = ${call.caller.userId} AND secret <> '' RETURNING webhook_id`,
        errorIfNoRow: noWebhookError,
      },
    ]),
  );
}

const noWebhookError = () => new ApiError('not_found', 'No other software is connected.');
