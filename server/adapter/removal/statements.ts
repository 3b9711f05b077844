import { deleteCountersStatement } from '#server/adapter/database/counter.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { endInvitationStatement } from '#server/adapter/invitation/store.ts';
import { stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import { deletePhoneCountersStatements } from '#server/adapter/otp/embedded/limits.ts';

/** All that is stored under a phone but its user, in the order in which a login locks it (`LIMITS`). */
export function deletePhoneDataStatements(phone: string): Statement[] {
  return [
    ...deletePhoneCountersStatements('send', phone),
    sql`DELETE FROM challenges WHERE phone = ${phone}`,
    ...deletePhoneCountersStatements('fail', phone),
    sql`DELETE FROM exchange_tokens WHERE phone = ${phone}`,
  ];
}

export function replacePhoneStatements({
  userId,
  previous,
  phone,
  now,
}: {
  readonly userId: string;
  readonly previous: string;
  readonly phone: string;
  readonly now: number;
}): Statement[] {
  return [
    ...deletePhoneDataStatements(previous),
    stopWebhookStatement(userId),
    sql`UPDATE users SET login_phone = ${phone}, updated_at = ${now} WHERE id = ${userId}`,
    endInvitationStatement(phone),
  ];
}

/** In the order in which a new contact locks them. */
export function deleteUserCountersStatements(userId: string): Statement[] {
  return [
    `contact:network:%:${userId}`,
    `contact:address:%:${userId}`,
    `contact:card:${userId}`,
    `contact:added:${userId}`,
  ].map(deleteCountersStatement);
}
