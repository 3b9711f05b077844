import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { parseRetryAfter } from '#server/adapter/push/notification.ts';
import { EndpointBlocked } from '#server/adapter/push/transport.ts';
import type { PushTransport } from '#server/adapter/push/transport.ts';
import type {
  QueueKind,
  QueueReply,
  QueueResult,
  QueuedMessage,
} from '#server/adapter/queue/kind.ts';
import { Queue } from '#server/adapter/queue/queue.ts';
import type { QueueOptions } from '#server/adapter/queue/queue.ts';
import { newToken } from '#server/token.ts';

import { createSecretBox, sign } from './secret.ts';

/** docs/connect.md */
export const DELIVERIES_MAX = 20;
export const TEST = 'test';
const TEST_CONTACT = {
  _id: 'test',
  name: 'Test Contact',
  companyName: 'Example',
  email: 'test@example.com',
  mobile: '+919876543210',
  tags: ['test'],
  source: '',
};
const SUCCESS_MIN = 200;
const SUCCESS_MAX = 299;
const GONE = 410;
const TOO_MANY_REQUESTS = 429;

interface Event extends QueuedMessage {
  readonly userId: string;
  readonly type: string;
  readonly contactId: string;
  readonly secret: string;
  readonly previousSecret: string;
  readonly previousUntil: number;
}

export type WebhookQueue = Queue<Event>;

interface Options extends QueueOptions {
  readonly webhookTransport: PushTransport;
  /** The secret of the service. */
  readonly secret: string;
}

/** Sends the events of contacts as Standard Webhooks (docs/connect.md). */
export function createWebhookQueue(options: Options): WebhookQueue {
  const { database, clock, webhookTransport } = options;
  const headersOf = createSigner(options);
  const send = async (event: Event, signal: AbortSignal): Promise<QueueReply | null> => {
    const { type, createdAt, endpoint } = event;
    const data = await readData(database, event);
    if (data === null) return null;
    const body = JSON.stringify({ type, timestamp: new Date(createdAt).toISOString(), data });
    const headers = await headersOf(event, body);
    if (headers === null) return { result: 'gone', reason: 'no secret', retryAfterMs: 0 };
    try {
      const request = { endpoint, headers, body: Buffer.from(body), signal };
      const { status, retryAfter } = await webhookTransport.send(request);
      const waitMs = status === TOO_MANY_REQUESTS ? parseRetryAfter(retryAfter, clock.now()) : 0;
      return {
        result: resultOf(type, status),
        reason: String(status),
        retryAfterMs: Math.min(waitMs, HOUR_MS),
      };
    } catch (error) {
      const reason = error instanceof EndpointBlocked ? 'no public address' : 'no response';
      return { result: resultOf(type, 0), reason, retryAfterMs: 0 };
    }
  };

  const kind: QueueKind<Event> = {
    name: 'webhook delivery',
    targets: rawSql('webhooks'),
    targetKey: rawSql('webhook_id'),
    messages: rawSql('webhook_messages'),
    messageKey: rawSql('id'),
    columns: sql`user_id AS "userId", type, contact_id AS "contactId", secret,
      previous_secret AS "previousSecret", previous_until AS "previousUntil"`,
    joins: rawSql(''),
    send,
    record: ({ userId, type }, { reason }) => [
      sql`INSERT INTO webhook_deliveries (id, user_id, type, status, sent_at)
        SELECT ${newToken()}, id, ${type}, ${reason}, CAST(${clock.now()} AS BIGINT)
        FROM users WHERE id = ${userId}`,
      sql`DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries
        WHERE user_id = ${userId} ORDER BY sent_at DESC, id LIMIT 100 OFFSET ${DELIVERIES_MAX})`,
    ],
  };
  return new Queue(kind, options);
}

/** Returns a function that makes the headers of a request; null where no secret opens, so the webhook ends. */
function createSigner({ clock, secret: serviceSecret }: Options) {
  const box = createSecretBox(serviceSecret);
  return async (event: Event, body: string): Promise<Record<string, string> | null> => {
    const now = clock.now();
    const seconds = Math.floor(now / SECOND_MS);
    const sealed =
      event.previousUntil > now ? [event.secret, event.previousSecret] : [event.secret];
    const secrets = await Promise.all(sealed.map((one) => box.open(one)));
    const signatures = secrets.flatMap((secret) =>
      secret === null ? [] : sign(secret, `${event.id}.${seconds}.${body}`),
    );
    if (signatures.length === 0) return null;
    return {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatures.join(' '),
    };
  };
}

/** Null if the contact is gone. A private note never leaves. */
async function readData(database: Database, { type, contactId }: Event): Promise<object | null> {
  if (type === TEST) return TEST_CONTACT;
  if (type === 'contact.deleted' || type === 'contact.withdrawn') return { _id: contactId };
  const columns = rawSql(
    'id AS "_id", name, company_name AS "companyName", email, mobile, tags, source',
  );
  // The owner can still take back its deletion, which is sent after this.
  const row = await database.one<{ readonly tags: string }>(sql`
    SELECT ${columns} FROM contacts WHERE id = ${contactId}
    UNION ALL SELECT ${columns} FROM deleted_contacts WHERE id = ${contactId} LIMIT 1`);
  return row && { ...row, tags: JSON.parse(row.tags) as string[] };
}

/** A test is sent once. */
function resultOf(type: string, status: number): QueueResult {
  if (status >= SUCCESS_MIN && status <= SUCCESS_MAX) return 'sent';
  if (status === GONE) return 'gone';
  return type === TEST ? 'dropped' : 'delayed';
}
