import { deleteCountersStatement } from '#server/db/counter.ts';
import type { Statement } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import { phoneFailurePatterns, phoneSendPatterns } from '#server/otp/embedded/limits.ts';

/**
 * Returns the statements that delete everything that is stored under a phone, except its user, in the
 * order in which a login locks it (`phoneSendPatterns`).
 */
export function deletePhoneDataStatements(phone: string): Statement[] {
  return [
    ...phoneSendPatterns(phone).map(deleteCounters),
    sql`DELETE FROM challenges WHERE phone = ${phone}`,
    ...phoneFailurePatterns(phone).map(deleteCounters),
    sql`DELETE FROM exchange_tokens WHERE phone = ${phone}`,
  ];
}

/**
 * Returns the statements that delete the counters of a user, in the order in which a new contact locks
 * them: by address first.
 */
export function deleteUserCountersStatements(userId: string): Statement[] {
  return [`contact:address:%:${userId}`, `contact:card:${userId}`].map(deleteCounters);
}

function deleteCounters(pattern: string): Statement {
  return deleteCountersStatement([pattern]);
}
