import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import { UniqueViolation, replaceError } from '#server/adapter/database/database.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import { deletePhoneCountersStatements } from '#server/adapter/otp/embedded/limits.ts';
import { phoneEnd } from '#server/adapter/profile/phone.ts';
import {
  changeCard,
  findLoginPhone,
  lockAccountStatements,
} from '#server/adapter/profile/store.ts';
import { queueEventStatement, stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import { removeUser, replacePhoneStatements } from '#server/adapter/removal/remove-user.ts';
import { auditStatement, logChange } from './audit.ts';
import type { Change } from './audit.ts';
import { AdminError } from './context.ts';
import type { AdminContext } from './context.ts';
import { findByPhone, requireUser } from './store.ts';

interface UserChange {
  readonly userId: string;
  readonly reason: string;
}

/** In the place of an id: all users. */
export const ALL = 'all';

export async function block(context: AdminContext, input: UserChange) {
  if (input.reason.trim() === '') throw new AdminError('A block needs a reason.');
  return setBlocked(context, input, true);
}

export function unblock(context: AdminContext, input: UserChange) {
  return setBlocked(context, input, false);
}

async function setBlocked(
  context: AdminContext,
  { userId, reason }: UserChange,
  isBlocked: boolean,
) {
  const now = context.clock.now();
  const action = isBlocked ? 'block' : 'unblock';
  const description = { actor: context.actor, reason, action, subject: userId };
  const problem = isBlocked ? 'blocked already' : 'not blocked';
  await changeCard(context, {
    userId,
    now,
    values: { blocked_at: isBlocked ? now : null },
    condition: isBlocked ? sql`blocked_at IS NULL` : sql`blocked_at IS NOT NULL`,
    transaction: {
      errorIfNoRow: () => new AdminError(`There is no user ${userId}, or the card is ${problem}.`),
      followingStatements: [auditStatement(description, now)],
    },
  });
  logChange(context.log, description);
  return { id: userId, isBlocked };
}

export async function remove(context: AdminContext, { userId, reason }: UserChange) {
  const description = { actor: context.actor, reason, action: 'remove', subject: userId };
  const removal = {
    userId,
    precedingStatements: [auditStatement(description, context.clock.now())],
  };
  const isRemoved = await removeUser({ ...context, dependencies: context }, removal);
  if (!isRemoved) throw new AdminError(`There is no user ${userId}.`);
  logChange(context.log, description);
  return { id: userId, isRemoved: true };
}

/** A contact, or one that its owner has deleted and can still restore. */
export async function removeContact(
  context: AdminContext,
  { contactId, reason }: { readonly contactId: string; readonly reason: string },
) {
  const subject = contactId;
  const deleted = await context.database.one(sql`SELECT 1 FROM deleted_contacts
    WHERE id = ${contactId}`);
  const table = deleted ? 'deleted_contacts' : 'contacts';
  const description = { reason, action: 'remove-contact', subject };
  const rows = await change(context, description, (now) => [
    queueEventStatement('contact.deleted', { contacts: sql`contacts.id = ${contactId}`, now }),
    {
      sql: sql`DELETE FROM ${rawSql(table)}
        WHERE id = ${contactId} RETURNING user_id AS "userId"`,
      errorIfNoRow: () => new AdminError(`There is no contact ${contactId}.`),
    },
  ]);
  return { id: contactId, ...rows.at(-1) };
}

export async function unlock(
  context: AdminContext,
  { phone, reason }: { readonly phone: string; readonly reason: string },
) {
  const [user] = await findByPhone(context.database, phone);
  const subject = user?.id ?? `phone …${phoneEnd(phone)}`;
  const rows = await change(context, { reason, action: 'unlock', subject }, () =>
    deletePhoneCountersStatements('fail', phone),
  );
  return { phone, removedCounters: rows.length };
}

/** For owners who have lost their number. */
export async function changePhone(
  context: AdminContext,
  { userId, phone, reason }: UserChange & { readonly phone: string },
) {
  if (reason.trim() === '') throw new AdminError('A new login phone needs a reason.');
  const previous = await findLoginPhone(context.database, userId);
  if (previous === null) throw new AdminError(`There is no user ${userId}.`);
  const taken = () => new AdminError(`${phone} has an account.`);
  if (previous === phone) throw taken();
  const description = { reason, action: 'change-phone', subject: userId };
  await change(context, description, (now) => [
    ...lockAccountStatements({ userId, loginPhone: previous }, phoneChangedError),
    ...replacePhoneStatements({ userId, previous, phone, now }),
    endSessionsStatement(userId),
  ]).catch(replaceError(UniqueViolation, taken));
  return { id: userId, loginPhone: phone };
}

function phoneChangedError(): AdminError {
  return new AdminError('The login phone has changed meanwhile. Try again.');
}

export async function endSessions(context: AdminContext, { userId, reason }: UserChange) {
  await requireUser(context.database, userId);
  const description = { reason, action: 'end-sessions', subject: userId };
  const rows = await change(context, description, () => [
    stopWebhookStatement(userId),
    endSessionsStatement(userId),
  ]);
  return { id: userId, endedSessions: rows.length };
}

export function endSessionsStatement(userId: string): Statement {
  return sql`DELETE FROM sessions WHERE user_id = ${userId} RETURNING user_id`;
}

/** In batches. The change is stored first, so it is in the audit even after an interruption. */
export async function endAllSessions(
  { database, clock, log, actor }: AdminContext,
  { reason }: { readonly reason: string },
) {
  const description = { actor, reason, action: 'end-sessions', subject: ALL };
  await database.batch([auditStatement(description, clock.now())]);
  logChange(log, description);
  await deleteInBatches(database, { table: 'webhooks', key: 'webhook_id' });
  const endedSessions = await deleteInBatches(database, { table: 'sessions', key: 'token_hash' });
  return { id: ALL, endedSessions };
}

/**
 * Runs statements, stores the change in the same batch, and logs it. Returns the statements' rows.
 */
export async function change(
  { database, clock, log, actor }: AdminContext,
  { action, subject, reason }: Omit<Change, 'actor'>,
  statementsAt: (now: number) => Statement | readonly Statement[],
): Promise<Record<string, string>[]> {
  const now = clock.now();
  const description = { actor, action, subject, reason };
  const results = await database.batch<Record<string, string>>([
    ...[statementsAt(now)].flat(),
    auditStatement(description, now),
  ]);
  logChange(log, description);
  return results.slice(0, -1).flat();
}
