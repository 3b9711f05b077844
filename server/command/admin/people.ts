import { NOTE_LENGTH_MAX } from '#domain/contact.ts';
import { cleanFieldInput } from '#domain/profile-field.ts';
import { profileChangeSchema } from '#domain/profile.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { deleteInvitationStatement } from '#server/adapter/otp/store.ts';
import { releaseAddressesStatement } from '#server/adapter/profile/card-address.ts';
import { cardStatement, findRow } from '#server/adapter/profile/store.ts';
import { replacePhoneStatements } from '#server/adapter/remove-user.ts';

import { phoneSubject, toIsoTime } from './audit.ts';
import { change, endSessionsStatements, requireReason } from './change.ts';
import { AdminError, phoneChangedError } from './context.ts';
import type { AdminContext, PhoneInput, UserInput } from './context.ts';
import { readLoginEmail } from './login-email.ts';
import { findByPhone, findUser } from './store.ts';

export async function invite(context: AdminContext, { phone, reason, name, email }: PhoneInput) {
  const [user] = await findByPhone(context.database, phone);
  if (user)
    throw new AdminError(`${phone} already has an account, so it needs no invitation: ${user.id}.`);
  const { data, error } = profileChangeSchema.safeParse({
    name: cleanFieldInput('name', name ?? ''),
  });
  if (error) throw new AdminError(`--name ${error.issues[0]?.message ?? 'is not valid'}.`);
  const cardName = name === undefined ? null : (data.name ?? '');
  const loginEmail = email === undefined ? null : readLoginEmail(email);
  const description = { action: 'invite', subject: phoneSubject(phone), reason };
  const [invitation] = await change(context, description, (now) => [
    // An invitation that exists keeps the name or the email if the operator does not give it again.
    sql`INSERT INTO invitations (phone, name, login_email, created_at)
      VALUES (${phone}, ${cardName ?? ''}, ${loginEmail}, ${now})
      ON CONFLICT (phone) DO UPDATE SET name = COALESCE(${cardName}, invitations.name),
        login_email = COALESCE(excluded.login_email, invitations.login_email)
      RETURNING name, login_email AS email`,
  ]);
  return [
    `${phone} can sign up now.`,
    invitation?.['name'] && `The card begins with the name ${invitation['name']}.`,
    invitation?.['email'] && `Codes by email go to ${invitation['email']}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

export async function withdrawInvitation(context: AdminContext, { phone, reason }: PhoneInput) {
  const description = { action: 'uninvite', subject: phoneSubject(phone), reason };
  await change(context, description, () => ({
    sql: deleteInvitationStatement(phone),
    errorIfNoRow: () => new AdminError(`${phone} has no invitation. List them with: invitations`),
  }));
  return `The invitation of ${phone} is withdrawn.`;
}

export async function listInvitations({ database }: AdminContext) {
  const rows = await database.all<
    Record<'phone' | 'name', string> & { email: string | null; created_at: number }
  >(
    'SELECT phone, name, login_email AS email, created_at FROM invitations ORDER BY created_at DESC, phone',
  );
  return rows.map(({ created_at: at, ...row }) => ({ ...row, invitedAt: toIsoTime(at) }));
}

export async function removeAddresses(
  context: AdminContext,
  { userId, reason, reserve }: UserInput,
) {
  await findUser(context, userId);
  const description = { action: reserve ? 'reserve-address' : 'remove-address', subject: userId };
  const rows = await change(context, { ...description, reason }, () => ({
    sql: releaseAddressesStatement(userId, reserve === true),
    errorIfNoRow: () => new AdminError('This card has no address, so there is nothing to remove.'),
  }));
  const names = rows.map(({ name }) => `/@${name}`).toSorted();
  const who = reserve ? 'Nobody' : 'Anybody';
  return `Removed from user ${userId}: ${names.join(', ')}. ${who} can choose these addresses again.`;
}

/**
 * Blocks the card of somebody who leaves, and hands the contacts to a colleague. A note that names the
 * previous owner replaces each private note. The card may be blocked already, and the command can be repeated
 * if the card was unblocked by mistake.
 */
export async function leave(
  context: AdminContext,
  { userId, to, reason }: { readonly userId: string; readonly to: string; readonly reason: string },
) {
  const { database } = context;
  requireReason(reason);
  if (to === userId)
    throw new AdminError(
      '--to names the user who leaves. Name the colleague who gets the contacts.',
    );
  const leaver = await findUser(context, userId);
  const { name } = leaver;
  // After an earlier `leave`, the column login_phone holds the id, because its values must be unique.
  const previous = leaver.loginPhone || userId;
  const colleague = await findRow(database, to);
  if (!colleague || colleague.blocked_at !== null)
    throw new AdminError(
      `--to: there is no user ${to}, or the card is blocked. Name a colleague with a visible card.`,
    );
  const note = `From ${name || 'a colleague'}`.slice(0, NOTE_LENGTH_MAX);
  const handOver = sql`UPDATE contacts SET user_id = ${to}, note = ${note}
    WHERE user_id = ${userId}`;
  await change(context, { reason, action: 'leave', subject: userId }, (now) => [
    {
      sql: cardStatement({
        userId,
        now,
        values: {
          blocked_at: sql`COALESCE(blocked_at, ${now})`,
          login_email: null,
          oidc_subject: null,
        },
        condition: sql`login_phone = ${previous}`,
      }),
      errorIfNoRow: phoneChangedError,
    },
    ...replacePhoneStatements({ userId, previous, phone: userId, now }),
    ...endSessionsStatements(userId),
    handOver,
  ]);
  // A contact can have arrived while the card was being blocked.
  await database.run(handOver);
  const count = leaver.contacts + leaver.heldContacts;
  return `The card of user ${userId} is blocked, and its phone is free. Contacts handed to user ${to}: ${count}.`;
}
