import { randomUUID } from 'node:crypto';

import type { FastifyBaseLogger } from 'fastify';

import type { Database, Statement } from '#server/adapter/database/database.ts';
import { emptySql, sql } from '#server/adapter/database/sql.ts';
import { lastDigits } from '#server/adapter/profile/phone.ts';
import { redact } from '#server/http/log/request-log.ts';

const LINES_MAX = 100;

export interface Change {
  readonly action: string;
  /** The id of the user or contact, the last digits of a phone without a user, or 'all' for all users. */
  readonly subject: string;
  readonly actor: string;
  readonly reason: string;
}

/** Names a phone in the audit without storing the number. */
export const phoneSubject = (phone: string) => `phone …${lastDigits(phone)}`;

/** Hides phones in the reason. */
export function auditStatement({ action, subject, actor, reason }: Change, now: number): Statement {
  return sql`INSERT INTO audit (id, created_at, actor, action, subject, reason)
      VALUES (${randomUUID()}, ${now}, ${actor}, ${action}, ${subject}, ${redact(reason)})`;
}

export function logChange(log: FastifyBaseLogger, change: Change): void {
  log.warn({ event: 'admin', ...change, reason: redact(change.reason) }, 'admin command');
}

export async function readAudit(database: Database, subject?: string) {
  const condition = subject === undefined ? emptySql : sql`WHERE subject = ${subject}`;
  const rows = await database.all<Change & { readonly created_at: number }>(sql`
    SELECT created_at, actor, action, subject, reason FROM audit ${condition}
    ORDER BY created_at DESC, id LIMIT ${LINES_MAX}`);
  return rows.map(({ created_at, ...row }) => ({ at: toIsoTime(created_at), ...row }));
}

export function toIsoTime(time: number): string {
  return new Date(time).toISOString();
}
