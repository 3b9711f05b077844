import { NOTE_LENGTH_MAX } from '#domain/contact.ts';
import { cleanFieldInput } from '#domain/profile-field.ts';
import { profileChangeSchema } from '#domain/profile.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { endInvitationStatement } from '#server/adapter/invitation/store.ts';
import { takeAddressesStatement } from '#server/adapter/profile/card-address.ts';
import { phoneEnd } from '#server/adapter/profile/phone.ts';
import { changeCard, findRow } from '#server/adapter/profile/store.ts';
import { replacePhoneStatements } from '#server/adapter/removal/remove-user.ts';

import { auditStatement, logChange, toIsoTime } from './audit.ts';
import { change, endSessionsStatement } from './change.ts';
import { AdminError } from './context.ts';
import type { AdminContext } from './context.ts';
import { findByPhone, findUser, requireUser } from './store.ts';

interface PhoneChange {
  readonly phone: string;
  readonly reason: string;
}

const subjectOf = (phone: string) => `phone …${phoneEnd(phone)}`;

export async function invite(
  context: AdminContext,
  { phone, reason, name = '' }: PhoneChange & { readonly name?: string },
) {
  const [user] = await findByPhone(context.database, phone);
  if (user) throw new AdminError(`${phone} has an account: ${user.id}.`);
  const { data, error } = profileChangeSchema.safeParse({ name: cleanFieldInput('name', name) });
  if (error) throw new AdminError(`--name ${error.issues[0]?.message ?? 'is not valid'}.`);
  const cleaned = data.name ?? '';
  const description = { action: 'invite', subject: subjectOf(phone), reason };
  await change(context, description, (now) => [
    sql`INSERT INTO invitations (phone, name, created_at) VALUES (${phone}, ${cleaned}, ${now})
      ON CONFLICT (phone) DO UPDATE SET name = excluded.name`,
  ]);
  return { phone, name: cleaned };
}

export async function withdrawInvitation(context: AdminContext, { phone, reason }: PhoneChange) {
  const description = { action: 'uninvite', subject: subjectOf(phone), reason };
  await change(context, description, () => ({
    sql: endInvitationStatement(phone),
    errorIfNoRow: () => new AdminError(`${phone} has no invitation.`),
  }));
  return { phone, isInvited: false };
}

export async function listInvitations({ database }: AdminContext) {
  const rows = await database.all<Record<'phone' | 'name', string> & { created_at: number }>(
    'SELECT phone, name, created_at FROM invitations ORDER BY created_at DESC, phone',
  );
  return rows.map(({ created_at: at, ...row }) => ({ ...row, invitedAt: toIsoTime(at) }));
}

export async function takeAddress(
  context: AdminContext,
  { userId, reason, reserve = false }: { userId: string; reason: string; reserve?: boolean },
) {
  await requireUser(context.database, userId);
  const description = { action: reserve ? 'reserve-address' : 'remove-address', subject: userId };
  const rows = await change(context, { ...description, reason }, () => ({
    sql: takeAddressesStatement(userId, reserve),
    errorIfNoRow: () => new AdminError('This card has no address.'),
  }));
  return { id: userId, removed: rows.map(({ name }) => `/@${name}`), isReserved: reserve };
}

/**
 * Hands the contacts to a colleague, with a note that says who had them in the place of the private
 * one.
 */
export async function leave(
  context: AdminContext,
  { userId, to, reason }: { readonly userId: string; readonly to: string; readonly reason: string },
) {
  const { database, clock, log, actor } = context;
  if (reason.trim() === '') throw new AdminError('Leaving needs a reason.');
  if (to === userId) throw new AdminError('--to is the same user.');
  const leaver = await findUser(context, userId);
  const { name, loginPhone: previous } = leaver;
  const colleague = await findRow(database, to);
  if (!colleague || colleague.blocked_at !== null)
    throw new AdminError(`--to: there is no user ${to}, or the card is blocked.`);
  const now = clock.now();
  const note = `From ${name || 'a colleague'}`.slice(0, NOTE_LENGTH_MAX);
  const handOver = sql`UPDATE contacts SET user_id = ${to}, note = ${note}
    WHERE user_id = ${userId}`;
  const description = { actor, reason, action: 'leave', subject: userId };
  await changeCard(context, {
    userId,
    now,
    values: { blocked_at: now },
    condition: sql`blocked_at IS NULL AND login_phone = ${previous}`,
    transaction: {
      errorIfNoRow: () => new AdminError(`The card of ${userId} is blocked already.`),
      followingStatements: [
        // The id takes the place of the phone, which must be unique.
        ...replacePhoneStatements({ userId, previous, phone: userId, now }),
        endSessionsStatement(userId),
        handOver,
        auditStatement(description, now),
      ],
    },
  });
  // One that arrived while the card was being blocked.
  await database.run(handOver);
  logChange(log, description);
  return { id: userId, contactsWith: to, contacts: leaver.contacts + leaver.heldContacts };
}
