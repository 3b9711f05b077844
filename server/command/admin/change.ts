import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import { UniqueViolation, replaceError } from '#server/adapter/database/database.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import { deletePhoneCountersStatements } from '#server/adapter/otp/limits.ts';
import { lockAccountStatements } from '#server/adapter/profile/owner-row.ts';
import { cardStatement, findLoginPhone, runCardChange } from '#server/adapter/profile/store.ts';
import {
  queueEventStatement,
  removeStoppedWebhooks,
  stopWebhookStatement,
} from '#server/adapter/webhook/event.ts';
import { removeUser, replacePhoneStatements } from '#server/adapter/remove-user.ts';
import { auditStatement, logChange, phoneSubject } from './audit.ts';
import type { Change } from './audit.ts';
import { AdminError, noUserError, phoneChangedError, phoneTakenError } from './context.ts';
import type { AdminContext, Options, PhoneInput, UserInput } from './context.ts';
import { findByPhone, findUser } from './store.ts';

/** The operator types this instead of an id to mean all users. */
export const ALL = 'all';

export async function block(context: AdminContext, input: UserInput) {
  requireReason(input.reason);
  return setBlocked(context, input, true);
}

export function unblock(context: AdminContext, input: UserInput) {
  return setBlocked(context, input, false);
}

async function setBlocked(
  context: AdminContext,
  { userId, reason }: UserInput,
  isBlocked: boolean,
) {
  const action = isBlocked ? 'block' : 'unblock';
  const problem = isBlocked ? 'already blocked' : 'not blocked';
  const condition = isBlocked ? sql`blocked_at IS NULL` : sql`blocked_at IS NOT NULL`;
  await change(context, { reason, action, subject: userId }, (now) => ({
    sql: cardStatement({ userId, now, values: { blocked_at: isBlocked ? now : null }, condition }),
    errorIfNoRow: () =>
      new AdminError(
        `There is no user ${userId}, or the card is ${problem}. Look it up with: show <id>`,
      ),
  }));
  return isBlocked
    ? `The card of user ${userId} is blocked.`
    : `The card of user ${userId} is visible again.`;
}

export async function remove(context: AdminContext, { userId, reason }: UserInput) {
  const description = { actor: context.actor, reason, action: 'remove', subject: userId };
  const removal = {
    userId,
    precedingStatements: [auditStatement(description, context.clock.now())],
  };
  const isRemoved = await removeUser({ ...context, dependencies: context }, removal);
  if (!isRemoved) throw noUserError(userId);
  logChange(context.log, description);
  return `User ${userId} and everything that was stored about the user are removed.`;
}

/** Removes a contact from its owner's list, even one that the owner has deleted and can still restore. */
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
      errorIfNoRow: () =>
        new AdminError(
          `There is no contact ${contactId}. List the contacts with: show <id> --contacts`,
        ),
    },
  ]);
  return `Contact ${contactId} is removed from the list of user ${rows.at(-1)?.['userId']}.`;
}

export async function unlock(context: AdminContext, { phone, reason }: PhoneInput) {
  const [user] = await findByPhone(context.database, phone);
  const subject = user?.id ?? phoneSubject(phone);
  const rows = await change(context, { reason, action: 'unlock', subject }, () =>
    deletePhoneCountersStatements('fail', phone),
  );
  return rows.length === 0
    ? `No wrong codes were counted for ${phone}.`
    : `The wrong codes for ${phone} no longer count, so its owner can request a code.`;
}

/** As lockAccountStatements, with texts for the operator, who can unblock the card. */
export const lockForOperator = (userId: string, loginPhone: string) =>
  lockAccountStatements(
    { userId, loginPhone },
    phoneChangedError,
    `The card of user ${userId} is blocked. Unblock it first: unblock ${userId}`,
  );

export async function changePhone(
  context: AdminContext,
  { userId, phone, reason }: UserInput & PhoneInput,
) {
  requireReason(reason);
  const previous = await findLoginPhone(context.database, userId);
  if (previous === null) throw noUserError(userId);
  const taken = () => phoneTakenError(phone);
  if (previous === phone) throw taken();
  const description = { reason, action: 'change-phone', subject: userId };
  await change(context, description, (now) => [
    ...lockForOperator(userId, previous),
    ...replacePhoneStatements({ userId, previous, phone, now }),
    ...endSessionsStatements(userId),
  ]).catch(replaceError(UniqueViolation, taken));
  await removeStoppedWebhooks(context.database);
  return `User ${userId} now signs in with ${phone}. All sessions of the user have ended.`;
}

export function requireReason(reason: string): void {
  if (reason.trim() === '') throw new AdminError('Give a reason: --reason <text>.');
}

export async function endSessions(context: AdminContext, { userId, reason }: UserInput) {
  await findUser(context, userId);
  const description = { reason, action: 'end-sessions', subject: userId };
  const rows = await change(context, description, () => [
    stopWebhookStatement(userId),
    ...endSessionsStatements(userId),
  ]);
  await removeStoppedWebhooks(context.database);
  const passkeys = rows.filter(({ passkey }) => passkey !== undefined);
  const sessions = rows.filter(({ session }) => session !== undefined);
  return `Sessions of user ${userId} that have ended: ${sessions.length}.${removedText(passkeys.length)}`;
}

const removedText = (passkeys: number) => (passkeys > 0 ? ` Passkeys removed: ${passkeys}.` : '');

/** Removes the passkeys too, because each could start a new session. The lock keeps out one that is being added. */
export function endSessionsStatements(userId: string): Statement[] {
  return [
    sql`UPDATE users SET version = version WHERE id = ${userId}`,
    sql`DELETE FROM passkeys WHERE user_id = ${userId} RETURNING id AS passkey`,
    sql`DELETE FROM sessions WHERE user_id = ${userId} RETURNING user_id AS session`,
  ];
}

/** The change is stored before the batches of deletions, so the audit has it even after an interruption. */
export async function endAllSessions(context: AdminContext, { reason }: Options) {
  const { database } = context;
  await change(context, { reason, action: 'end-sessions', subject: ALL }, () => []);
  await database.run(stopWebhookStatement());
  await removeStoppedWebhooks(database);
  // Otherwise a passkey could start a session meanwhile.
  const passkeys = await deleteInBatches(database, { table: 'passkeys', key: 'id' });
  const endedSessions = await deleteInBatches(database, { table: 'sessions', key: 'token_hash' });
  return `Sessions of all users that have ended: ${endedSessions}.${removedText(passkeys)}`;
}

/**
 * Runs statements, stores the change in the same batch, and logs it. Returns the statements' rows.
 */
export async function change(
  context: AdminContext,
  { action, subject, reason }: Omit<Change, 'actor'>,
  statementsAt: (now: number) => Statement | readonly Statement[],
): Promise<Record<string, string>[]> {
  const now = context.clock.now();
  const description = { actor: context.actor, action, subject, reason };
  const results = await runCardChange<Record<string, string>>(context, subject, [
    ...[statementsAt(now)].flat(),
    auditStatement(description, now),
  ]);
  logChange(context.log, description);
  return results.slice(0, -1).flat();
}
