import { startOfDay } from '#domain/duration.ts';
import { UniqueViolation, replaceError } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { replacePhoneStatements } from '#server/adapter/remove-user.ts';
import { findLoginPhone } from '#server/adapter/profile/store.ts';

import { change, lockForOperator, requireReason } from './change.ts';
import { AdminError, noUserError, phoneTakenError } from './context.ts';
import type { AdminContext, PhoneInput, UserInput } from './context.ts';

/**
 * Lets the owner of an account sign in by code that was not used for DORMANT_DAYS, or whose number another
 * account has taken.
 */
export async function wake(
  context: AdminContext,
  { userId, phone, reason }: UserInput & PhoneInput,
) {
  requireReason(reason);
  const previous = await findLoginPhone(context.database, userId);
  if (previous === null) throw noUserError(userId);
  if (previous !== userId && previous !== phone)
    throw new AdminError(`User ${userId} has another login phone. Replace it with: change-phone`);
  const taken = () => phoneTakenError(phone);
  await change(context, { reason, action: 'wake', subject: userId }, (now) => [
    ...lockForOperator(userId, previous),
    ...(previous === phone ? [] : replacePhoneStatements({ userId, previous, phone, now })),
    sql`UPDATE users SET used_at = ${startOfDay(now)} WHERE id = ${userId}`,
  ]).catch(replaceError(UniqueViolation, taken));
  return `User ${userId} can sign in with ${phone}.`;
}
