import { createHmac, hkdfSync, randomBytes } from 'node:crypto';

import { CompactEncrypt, compactDecrypt } from 'jose';

import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { EndpointBlocked, isSuccess, parseRetryAfter } from '#server/adapter/outside/transport.ts';
import type { Transport } from '#server/adapter/outside/transport.ts';
import type { QueueKind, QueueReply, QueuedMessage } from '#server/adapter/queue/kind.ts';
import { Queue } from '#server/adapter/queue/queue.ts';
import type { QueueOptions } from '#server/adapter/queue/queue.ts';
import { newToken } from '#server/token.ts';

/** docs/connect.md */
export const DELIVERIES_MAX = 20;
export const TEST = 'test';
const TEST_CONTACT = {
  _id: TEST,
  name: 'Test Contact',
  companyName: 'Example',
  email: 'test@example.com',
  mobile: '+919876543210',
  tags: [TEST],
  source: '',
};
const GONE = 410;

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks: between 24 and 64. */
const SECRET_BYTES = 32;
const KEY_PURPOSE = 'tessera webhook';
const KEY_BYTES = 32;

export const newSecret = () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Encrypts the secrets of webhooks under that of the service. */
export function createSecretBox(serviceSecret: string) {
  const key = new Uint8Array(hkdfSync('sha256', serviceSecret, '', KEY_PURPOSE, KEY_BYTES));
  return {
    seal: (secret: string) =>
      new CompactEncrypt(Buffer.from(secret))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key),
    /** An empty list if another secret of the service has sealed it. */
    open: (sealed: string): Promise<string[]> =>
      compactDecrypt(sealed, key).then(
        ({ plaintext }) => [Buffer.from(plaintext).toString()],
        () => [],
      ),
  };
}

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
  readonly webhookTransport: Transport;
  /** The secret of the service. */
  readonly secret: string;
}

/** Sends the events of contacts as Standard Webhooks (docs/connect.md). */
export function createWebhookQueue(options: Options): WebhookQueue {
  const { database, clock, webhookTransport } = options;
  const box = createSecretBox(options.secret);
  const send = async (event: Event, signal: AbortSignal): Promise<QueueReply | null> => {
    const { id, type, createdAt, endpoint, secret, previousSecret, previousUntil } = event;
    const data = await readData(database, event);
    if (data === null) return null;
    const now = clock.now();
    const sealed = previousUntil > now ? [secret, previousSecret] : [secret];
    const secrets = (await Promise.all(sealed.map(box.open))).flat();
    if (secrets.length === 0) return { result: 'gone', reason: 'no secret', retryAfterMs: 0 };
    const seconds = String(Math.floor(now / SECOND_MS));
    const body = JSON.stringify({ type, timestamp: new Date(createdAt).toISOString(), data });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': secrets.map((one) => sign(one, `${id}.${seconds}.${body}`)).join(' '),
    };
    // A test is sent once.
    const failed = type === TEST ? 'dropped' : 'delayed';
    try {
      const request = { endpoint, headers, body: Buffer.from(body), signal };
      const { status, retryAfter } = await webhookTransport.send(request);
      const failure = status === GONE ? 'gone' : failed;
      return {
        result: isSuccess(status) ? 'sent' : failure,
        reason: String(status),
        retryAfterMs: Math.min(parseRetryAfter(retryAfter, now), HOUR_MS),
      };
    } catch (error) {
      const reason = error instanceof EndpointBlocked ? 'no public address' : 'no response';
      return { result: failed, reason, retryAfterMs: 0 };
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

/** A signature of Standard Webhooks (standardwebhooks.com, "Signature scheme"). */
function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
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
