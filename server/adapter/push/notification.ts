import { randomInt } from 'node:crypto';

import { SECOND_MS } from '#domain/duration.ts';
import { REMINDER_PREFIX } from '#domain/reminder.ts';
import { PATHS } from '#domain/path.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { newVersion } from '#server/adapter/profile/store.ts';
import { MESSAGE_LIFE_MS } from '#server/adapter/queue/store.ts';
import type {
  QueueKind,
  QueueReply,
  QueueResult,
  QueuedMessage,
} from '#server/adapter/queue/store.ts';
import { Queue } from '#server/adapter/queue/queue.ts';
import type { QueueOptions } from '#server/adapter/queue/queue.ts';
import {
  NoResponseError,
  isSuccess,
  isTemporaryFailure,
  parseWaits,
} from '#server/adapter/outside/exchange.ts';
import { EndpointBlocked } from '#server/adapter/outside/transport.ts';
import type { Transport } from '#server/adapter/outside/transport.ts';

import { encryptText } from './vapid.ts';
import type { VapidKey } from './vapid.ts';

/** Messages that are not about a contact. Their ids begin with the name of the notice and '-'. */
const NOTICES = {
  upi: {
    title: 'The UPI ID on your card was changed',
    body: "If it wasn't you, remove it in Edit Profile, and log out everywhere else in Account and data.",
  },
  webhook: {
    title: 'Other software was connected to your contacts',
    body: "If it wasn't you, stop it and log out everywhere else in Account and data.",
  },
  'login-email': {
    title: 'Your sign-in email was changed',
    body: "If you don't know why, ask the people who run this service.",
  },
  'passkey-added': {
    title: 'A passkey was added to your account',
    body: "If it wasn't you, remove it and log out everywhere else in Account and data.",
  },
  'passkey-removed': {
    title: 'A passkey was removed from your account',
    body: "If it wasn't you, log out everywhere else in Account and data.",
  },
} as const;
type Notice = keyof typeof NOTICES;
const NOTICE_NAMES = Object.keys(NOTICES) as Notice[];
/** Marks a declarative message, which a browser can show without a worker (W3C Push API). */
const WEB_PUSH = 8030;
// The failures of a push service (RFC 8030, sections 7.3 and 8.4).
const NOT_FOUND = 404;
const GONE = 410;

/** The id is that of a contact or a notice. A reminder has REMINDER_PREFIX before the contact's id. */
interface Notification extends QueuedMessage {
  readonly name: string | null;
  readonly companyName: string | null;
  readonly reminderDay: string | null;
  /** The text of a notification about a table. */
  readonly body: string | null;
  readonly p256dh: string;
  readonly auth: string;
  readonly expiresAt: number;
  /** The origin of the page that subscribed. It is '' if a version before 1.2 stored the subscription. */
  readonly origin: string;
}

/**
 * Queues a contact's notifications in the batch that inserts the contact. A held contact causes none. The
 * statement returns the queued rows and locks only these.
 */
export function queueStatement(contactId: string, userId: string, now: number): Statement {
  return sql`INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
    SELECT contacts.id, session_hash, CAST(${now} AS BIGINT), CAST(${now} AS BIGINT)
    FROM push_subscriptions JOIN contacts ON contacts.id = ${contactId} AND contacts.held = 0
    WHERE push_subscriptions.user_id = ${userId}
    RETURNING contact_id`;
}

export function queueNoticeStatement(notice: Notice, userId: string, now: number): Sql {
  return sql`INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
    SELECT ${`${notice}-${newVersion()}`}, session_hash, CAST(${now} AS BIGINT), CAST(${now} AS BIGINT)
    FROM push_subscriptions WHERE user_id = ${userId}`;
}

/** Queues a notification with a text of its own, such as one about a table. */
export function queueTextStatement(body: string, userId: string, now: number): Sql {
  return sql`INSERT INTO push_messages (contact_id, session_hash, created_at, next_at, body)
    SELECT ${`text-${newVersion()}`}, session_hash, CAST(${now} AS BIGINT), CAST(${now} AS BIGINT),
      CAST(${body} AS TEXT)
    FROM push_subscriptions WHERE user_id = ${userId}`;
}

/** Removes a contact's reminder that is due but has not been sent to every browser yet. */
export function dropReminderStatement(contactId: string): Sql {
  return sql`DELETE FROM push_messages WHERE contact_id = ${REMINDER_PREFIX + contactId}`;
}

/** One statement queues at most this many reminders. */
const REMINDERS_PER_BATCH_MAX = 1000;

/** The first statement claims the reminders for this call, so that only one of several nodes queues each. */
async function queueDueReminders(database: Database, now: number): Promise<void> {
  const isDue = sql`reminder_at >= 0 AND reminder_at <= ${now}`;
  while (await database.one(sql`SELECT 1 FROM contacts WHERE ${isDue} LIMIT 1`)) {
    const claim = -randomInt(1, CLAIM_MAX);
    await database.batch([
      sql`UPDATE contacts SET reminder_at = ${claim} WHERE ${isDue}
        AND id IN (SELECT id FROM contacts WHERE ${isDue} LIMIT ${REMINDERS_PER_BATCH_MAX})`,
      sql`INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
        SELECT CAST(${REMINDER_PREFIX} AS TEXT) || contacts.id, session_hash, CAST(${now} AS BIGINT),
          CAST(${now} AS BIGINT)
        FROM contacts JOIN push_subscriptions ON push_subscriptions.user_id = contacts.user_id
        WHERE reminder_at = ${claim} ON CONFLICT DO NOTHING`,
      sql`UPDATE contacts SET reminder_at = NULL WHERE reminder_at = ${claim}`,
    ]);
  }
}
const CLAIM_MAX = 2 ** 47;

export type NotificationQueue = Queue<Notification>;

interface Options extends QueueOptions {
  readonly pushTransport: Transport;
  readonly vapidKey: VapidKey;
  /** This is false without the Contacts view, because a reminder leads there. */
  readonly hasReminders: boolean;
}

export function createNotificationQueue(options: Options): NotificationQueue {
  const { clock, log, pushTransport, vapidKey, hasReminders } = options;
  const send = async (message: Notification, signal: AbortSignal): Promise<QueueReply | null> => {
    const { id, createdAt, endpoint } = message;
    const content = contentOf(message);
    const now = clock.now();
    if (content === null || message.expiresAt <= now) return null;
    const lifeMs = Math.min(MESSAGE_LIFE_MS, createdAt + MESSAGE_LIFE_MS - now);
    try {
      const response = await pushTransport.send({
        endpoint,
        headers: {
          authorization: await vapidKey.authorize(new URL(endpoint).origin, now),
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(Math.max(0, Math.floor(lifeMs / SECOND_MS))),
          urgency: 'high',
          // If this message is sent twice, it replaces an undelivered copy (RFC 8030, section 5.4).
          topic: id,
        },
        body: encryptText(JSON.stringify(content), message),
        signal,
      });
      return {
        result: resultOf(response.status),
        reason: `status ${response.status}`,
        ...parseWaits(response, now),
      };
    } catch (error) {
      const isBlocked = error instanceof EndpointBlocked;
      if (isBlocked) {
        const { host } = new URL(endpoint);
        log.warn({ host }, 'a subscription was deleted, because its host has no public address');
      }
      const reason = error instanceof NoResponseError ? error.reason : 'no response';
      return { result: isBlocked ? 'gone' : 'delayed', reason, retryAfterMs: 0, pauseMs: 0 };
    }
  };
  const kind: QueueKind<Notification> = {
    name: 'notification',
    targets: rawSql('push_subscriptions'),
    targetKey: rawSql('session_hash'),
    messages: rawSql('push_messages'),
    messageKey: rawSql('contact_id'),
    columns: sql`contacts.name, company_name AS "companyName",
      reminder_day AS "reminderDay", message.body, origin, p256dh, auth,
      sessions.expires_at AS "expiresAt"`,
    joins: sql`JOIN sessions ON token_hash = target.session_hash
      LEFT JOIN contacts ON contacts.id = REPLACE(message.contact_id, ${REMINDER_PREFIX}, '')`,
    prepare: async (now, isPoll) => {
      if (hasReminders && isPoll) await queueDueReminders(options.database, now);
    },
    send,
  };
  return new Queue(kind, options);
}

function contentOf({ id, name, companyName, origin, reminderDay, body }: Notification) {
  const notice = body === null ? noticeTexts(id) : { title: body, body: '' };
  const isReminder = id.startsWith(REMINDER_PREFIX);
  if (notice === null && (name === null || (isReminder && reminderDay === null))) return null;
  const path = isReminder ? PATHS.contacts : PATHS.dashboard;
  const title = isReminder ? `Reminder: ${name}` : `${name || 'Someone'} left their details`;
  const texts = notice ?? { title, body: companyName };
  return {
    // The name and the company are also sent as data (docs/develop/product.md#notifications).
    ...(notice ? {} : { name, companyName }),
    ...(origin !== '' && { web_push: WEB_PUSH }),
    notification: {
      ...texts,
      tag: id,
      ...(origin !== '' && { navigate: origin + path }),
    },
  };
}

function noticeTexts(id: string) {
  const notice = NOTICE_NAMES.find((name) => id.startsWith(`${name}-`));
  return notice === undefined ? null : NOTICES[notice];
}

function resultOf(status: number): QueueResult {
  if (isSuccess(status)) return 'sent';
  if (status === NOT_FOUND || status === GONE) return 'gone';
  if (isTemporaryFailure(status)) return 'delayed';
  return 'dropped';
}
