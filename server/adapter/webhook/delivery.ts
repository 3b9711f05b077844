import { createHmac, hkdfSync, randomBytes } from 'node:crypto';

import { CompactEncrypt, compactDecrypt } from 'jose';

import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { emptySql, rawSql, sql } from '#server/adapter/database/sql.ts';
import { NoResponseError, isSuccess, parseWaits } from '#server/adapter/outside/exchange.ts';
import type { Transport } from '#server/adapter/outside/transport.ts';
import type { QueueKind, QueueReply, QueuedMessage } from '#server/adapter/queue/store.ts';
import { Queue } from '#server/adapter/queue/queue.ts';
import type { QueueOptions } from '#server/adapter/queue/queue.ts';
import type { ReadPhone } from '#server/adapter/profile/phone.ts';
import { newToken } from '#server/token.ts';

import { recordDroppedStatement, removeStoppedWebhooks } from './event.ts';

/** The view 'Deliveries' shows so many (docs/guide/connect.md). */
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
const NO_WAIT = { retryAfterMs: 0, pauseMs: 0 };

const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks permits 24 to 64. */
const SECRET_BYTES = 32;
const KEY_PURPOSE = 'tessera webhook';
const KEY_BYTES = 32;

export const newSecret = () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Encrypts the secrets of webhooks with a key that is made from the secret of the service. */
export function createSecretBox(serviceSecret: string) {
  const key = new Uint8Array(hkdfSync('sha256', serviceSecret, '', KEY_PURPOSE, KEY_BYTES));
  return {
    seal: (secret: string) =>
      new CompactEncrypt(Buffer.from(secret))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key),
    /** Returns an empty list if another secret of the service has sealed this one. */
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

const WEBHOOK_COLUMNS = sql`user_id AS "userId", secret, previous_secret AS "previousSecret",
  previous_until AS "previousUntil"`;
/**
 * Makes a deletion sort last among the events that were queued in the same millisecond. The ids of the
 * others are in order.
 */
const rank = (event: string) =>
  rawSql(`CASE WHEN ${event}.type = 'contact.deleted' THEN 1 ELSE 0 END`);

interface Options extends QueueOptions {
  readonly webhookTransport: Transport;
  readonly secret: string;
  readonly readPhone: ReadPhone;
}

/** Sends one event as Standard Webhooks requires (docs/guide/connect.md). */
function createSender(options: Options): QueueKind<Event>['send'] {
  const { clock, webhookTransport } = options;
  const box = createSecretBox(options.secret);
  return async (event, signal) => {
    const { id, type, createdAt, endpoint, secret, previousSecret, previousUntil } = event;
    const data = await readData(options, event);
    if (data === null) return null;
    const now = clock.now();
    const sealed = previousUntil > now ? [secret, previousSecret] : [secret];
    const secrets = (await Promise.all(sealed.map(box.open))).flat();
    if (secrets.length === 0) return { result: 'gone', reason: 'no secret', ...NO_WAIT };
    const seconds = String(Math.floor(now / SECOND_MS));
    const body = JSON.stringify({ type, timestamp: new Date(createdAt).toISOString(), data });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': secrets.map((one) => sign(one, `${id}.${seconds}.${body}`)).join(' '),
    };
    // A test is never sent again.
    const failed = type === TEST ? 'dropped' : 'delayed';
    try {
      const request = { endpoint, headers, body: Buffer.from(body), signal };
      const response = await webhookTransport.send(request);
      const { status } = response;
      const failure = status === GONE ? 'gone' : failed;
      const { retryAfterMs, pauseMs } = parseWaits(response, now);
      return {
        result: isSuccess(status) ? 'sent' : failure,
        reason: String(status),
        retryAfterMs: Math.min(retryAfterMs, HOUR_MS),
        pauseMs: Math.min(pauseMs, HOUR_MS),
      };
    } catch (error) {
      if (!(error instanceof NoResponseError)) throw error;
      return { result: failed, reason: error.reason, ...NO_WAIT };
    }
  };
}

export function createWebhookQueue(options: Options): WebhookQueue {
  const { clock } = options;
  const kind: QueueKind<Event> = {
    name: 'webhook delivery',
    targets: rawSql('webhooks'),
    targetKey: rawSql('webhook_id'),
    messages: rawSql('webhook_messages'),
    messageKey: rawSql('id'),
    columns: sql`type, contact_id AS "contactId", ${WEBHOOK_COLUMNS}`,
    joins: emptySql,
    follows: sql`earlier.contact_id = message.contact_id
      AND (earlier.created_at, ${rank('earlier')}, earlier.id)
        < (message.created_at, ${rank('message')}, message.id)`,
    prepare: () => removeStoppedWebhooks(options.database),
    send: createSender(options),
    recordDropped: (userId) => recordDroppedStatement(userId, clock.now()),
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

/**
 * Sends a test at once, ahead of all waiting events. Returns its result, or null if there is no webhook. As
 * with an event, 410 ends the webhook.
 */
export async function sendTest(
  { database, clock }: Pick<Options, 'database' | 'clock'>,
  queue: WebhookQueue,
  userId: string,
): Promise<QueueReply | null> {
  const webhook = await database.one<Omit<Event, 'createdAt' | 'attempts' | 'type'>>(sql`
    SELECT CAST(${`${TEST}-${newToken()}`} AS TEXT) AS id, '' AS "contactId", endpoint,
      ${WEBHOOK_COLUMNS}
    FROM webhooks WHERE user_id = ${userId} AND secret <> ''`);
  if (webhook === null) return null;
  const test = { ...webhook, createdAt: clock.now(), attempts: 0, type: TEST };
  const reply = await queue.sendNow(test);
  if (reply?.result === 'gone')
    await database.run(sql`DELETE FROM webhooks
      WHERE user_id = ${userId} AND secret = ${webhook.secret}`);
  return reply;
}

/** A signature of Standard Webhooks (standardwebhooks.com, "Signature scheme"). */
function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** Returns the details of the contact without its private note, or null if the contact is gone. */
async function readData(
  { database, readPhone }: Options,
  { type, contactId }: Event,
): Promise<object | null> {
  if (type === TEST) return TEST_CONTACT;
  if (type === 'contact.deleted' || type === 'contact.withdrawn') return { _id: contactId };
  const columns = rawSql(
    'id AS "_id", name, company_name AS "companyName", email, mobile, tags, source',
  );
  // The owner can still take back its deletion, which is sent after this.
  const row = await database.one<{ readonly tags: string; readonly mobile: string }>(sql`
    SELECT ${columns} FROM contacts WHERE id = ${contactId}
    UNION ALL SELECT ${columns} FROM deleted_contacts WHERE id = ${contactId} LIMIT 1`);
  if (row === null) return null;
  const mobile = readPhone(row.mobile).numbers.join(' / ') || row.mobile;
  return { ...row, mobile, tags: JSON.parse(row.tags) as string[] };
}
