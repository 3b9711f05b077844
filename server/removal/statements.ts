import { deleteCountersStatement } from '#server/db/counter.ts';
import type { Statement } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import { deletePhoneCountersStatements } from '#server/otp/embedded/limits.ts';

/**
 * Returns the statements that delete everything that is stored under a phone, except its user, in the
 * order in which a login locks it (`LIMITS`).
 */
export function deletePhoneDataStatements(phone: string): Statement[] {
  return [
    ...deletePhoneCountersStatements('send', phone),
    sql`DELETE FROM challenges WHERE phone = ${phone}`,
    ...deletePhoneCountersStatements('fail', phone),
    sql`DELETE FROM exchange_tokens WHERE phone = ${phone}`,
  ];
}

/** Returns the statements that replace the login phone of a user, with the data under the previous one. */
export function replacePhoneStatements({
  userId,
  previous,
  phone,
  now,
}: {
  readonly userId: string;
  /** E.164. */
  readonly previous: string;
  readonly phone: string;
  readonly now: number;
}): Statement[] {
  return [
    ...deletePhoneDataStatements(previous),
    sql`UPDATE users SET login_phone = ${phone}, updated_at = ${now} WHERE id = ${userId}`,
  ];
}

/**
 * Returns the statements that delete the counters of a user, in the order in which a new contact locks
 * them: by address first.
 */
export function deleteUserCountersStatements(userId: string): Statement[] {
  return [`contact:address:%:${userId}`, `contact:card:${userId}`].map(deleteCountersStatement);
}
