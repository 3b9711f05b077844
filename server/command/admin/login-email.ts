import { isEmail } from '#domain/email.ts';
import { emailHint } from '#domain/hint.ts';
import { PROFILE_FIELDS, cleanFieldInput } from '#domain/profile-field.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { queueNoticeStatement } from '#server/adapter/push/notification.ts';

import { change, requireReason } from './change.ts';
import { AdminError } from './context.ts';
import type { AdminContext, Options, UserInput } from './context.ts';
import { readPhone } from './options.ts';
import { findByPhone, findUser, parseUserId } from './store.ts';

/** Returns a sign-in email as it is stored. Throws AdminError. */
export function readLoginEmail(typed: string): string {
  const email = cleanFieldInput('email', typed);
  const isShort = email.length <= PROFILE_FIELDS.email.lengthMax;
  if (isShort && isEmail(email) && emailHint(email) === '') return email;
  throw new AdminError(`"${email}" is not an email address: type it like asha@example.com`);
}

interface LoginEmailChange extends Pick<Options, 'remove' | 'reason'> {
  readonly who: string;
  readonly typed: string | undefined;
}

/** Sets the email to which an owner's codes are sent, and notifies every device of the owner. */
export async function setLoginEmail(
  context: AdminContext,
  { who, typed, remove, reason }: LoginEmailChange,
) {
  if ((remove === true) === (typed !== undefined))
    throw new AdminError('Type either an email or --remove.');
  const email = typed === undefined ? null : readLoginEmail(typed);
  const userId = await findUserId(context, who);
  await change(context, { action: 'login-email', subject: userId, reason }, (now) =>
    loginEmailStatements(userId, email, now),
  );
  return email === null
    ? `User ${userId} gets no more codes by email.`
    : `User ${userId} now gets codes at ${email}.`;
}

/** Null removes the email, and undefined changes nothing. */
export function loginEmailStatements(
  userId: string,
  email: string | null | undefined,
  now: number,
): Statement[] {
  if (email === undefined) return [];
  return [
    sql`UPDATE users SET login_email = ${email} WHERE id = ${userId}`,
    queueNoticeStatement('login-email', userId, now),
  ];
}

async function findUserId(context: AdminContext, who: string): Promise<string> {
  const userId = parseUserId(who);
  if (userId !== null) return (await findUser(context, userId)).id;
  const phone = readPhone(context, who);
  const [user] = await findByPhone(context.database, phone);
  if (user) return user.id;
  throw new AdminError(
    `${phone} has no account. Invite it together with the email: invite ${phone} --email <email>`,
  );
}

/** Lets another subject of the company's login sign in to the account: the next one with its number. */
export async function unbind(context: AdminContext, { userId, reason }: UserInput) {
  requireReason(reason);
  await change(context, { action: 'unbind', subject: userId, reason }, () => ({
    sql: sql`UPDATE users SET oidc_subject = NULL
      WHERE id = ${userId} AND oidc_subject IS NOT NULL RETURNING id`,
    errorIfNoRow: () =>
      new AdminError(`Nobody at your company's login is bound to user ${userId}. See: show <id>`),
  }));
  return `The next person at your company's login with the number of user ${userId} gets the account. To end its sessions too: sessions ${userId} --end`;
}
