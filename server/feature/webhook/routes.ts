import { getWebhook, renewSecret, testWebhook, updateWebhook } from '#contract/webhook.ts';
import { DAY_MS } from '#domain/duration.ts';
import type { AppContext } from '#server/context.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { queueNoticeStatement } from '#server/adapter/push/notification.ts';
import {
  DELIVERIES_MAX,
  TEST,
  createSecretBox,
  newSecret,
} from '#server/adapter/webhook/delivery.ts';
import { stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import { ApiError } from '#server/error.ts';
import { createOwnerRateLimit } from '#server/http/limit/rate-limit.ts';
import { route } from '#server/http/route.ts';
import type { Caller } from '#server/http/route.ts';
import { newToken } from '#server/token.ts';

/** The previous secret signs too. */
const PREVIOUS_SECRET_MS = DAY_MS;

/** docs/product.md#webhooks. */
export function webhookRoutes(context: AppContext): void {
  const { dependencies, webhookQueue } = context;
  const { database, clock } = dependencies;
  const tests = createOwnerRateLimit(clock, 'tests of a webhook');
  secretRoutes(context);

  route(context, getWebhook, async ({ caller: { userId } }) => {
    const webhook = await database.one<{ url: string }>(
      sql`SELECT endpoint AS url FROM webhooks WHERE user_id = ${userId}`,
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
    tests.countOrThrow(userId);
    const now = clock.now();
    // At most one test waits.
    const test = sql`INSERT INTO webhook_messages
        (id, webhook_id, type, contact_id, created_at, next_at)
      SELECT CAST(${`${TEST}-`} AS TEXT) || webhook_id, webhook_id, CAST(${TEST} AS TEXT), '',
        CAST(${now} AS BIGINT), CAST(${now} AS BIGINT)
      FROM webhooks WHERE user_id = ${userId}
      ON CONFLICT (id) DO UPDATE SET created_at = excluded.created_at RETURNING id`;
    await database.batch([{ sql: test, errorIfNoRow: noWebhook }]);
    webhookQueue.wake(userId);
    return {};
  });
}

interface VerifiedCall {
  readonly caller: Caller;
  readonly body: { readonly token?: string | null };
  readonly request: { readonly ip: string };
}

function secretRoutes(context: AppContext): void {
  const { dependencies, providerTokens, notificationQueue } = context;
  const { database, clock, webhookTransport } = dependencies;
  const box = createSecretBox(dependencies.secret);

  /** Stores a new secret with a fresh verification of the login phone, and tells every device. */
  async function makeSecret(
    { caller, body: { token }, request }: VerifiedCall,
    store: (sealed: string) => readonly Statement[],
  ) {
    const { userId } = caller;
    const secret = newSecret();
    const statements = store(await box.seal(secret));
    const notice = queueNoticeStatement('webhook', userId, clock.now());
    await providerTokens.consumeOfOwner([token], { caller, request }, (_, verification) =>
      database.batch([...verification, ...statements, notice]),
    );
    notificationQueue.wake(userId);
    return { secret };
  }

  route(context, updateWebhook, async (call) => {
    const { userId } = call.caller;
    // Events for the previous one are not sent.
    const stop = stopWebhookStatement(userId);
    if (call.body.url === null) {
      await database.run(stop);
      return { secret: null };
    }
    const url = call.body.url.trim();
    if (!webhookTransport.isEndpoint(url))
      throw new ApiError('invalid_input', 'url must be an https address of a public host');
    return makeSecret(call, (sealed) => [
      stop,
      sql`INSERT INTO webhooks (webhook_id, user_id, endpoint, secret)
        VALUES (${newToken()}, ${userId}, ${new URL(url).href}, ${sealed})`,
    ]);
  });

  route(context, renewSecret, (call) =>
    makeSecret(call, (sealed) => [
      {
        sql: sql`UPDATE webhooks SET previous_secret = secret, secret = ${sealed},
          previous_until = ${clock.now() + PREVIOUS_SECRET_MS}
          WHERE user_id = ${call.caller.userId} RETURNING webhook_id`,
        errorIfNoRow: noWebhook,
      },
    ]),
  );
}

const noWebhook = () => new ApiError('not_found', 'No other software is connected.');
