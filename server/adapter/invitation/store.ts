import type { CheckedStatement, Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { notInvitedError } from '#server/error.ts';

/** Who may have an account: everybody, or those with an invitation. */
export type Signup = 'open' | 'invited';

/** Finds a row for a phone (E.164) that has an account or an invitation. */
function selectInvited(phone: string): Sql {
  return sql`SELECT 1 AS found FROM users WHERE login_phone = ${phone}
    UNION ALL SELECT 1 FROM invitations WHERE phone = ${phone}`;
}

/** Whether codes are sent to the phone, and it can sign in. */
export async function isServed(
  database: Database,
  { signup, phone }: { readonly signup: Signup; readonly phone: string },
): Promise<boolean> {
  return signup === 'open' || (await database.all(selectInvited(phone))).length > 0;
}

/** Rolls its batch back with ApiError 'not_invited' (403). */
export function requireInvitationStatements(signup: Signup, phone: string): CheckedStatement[] {
  if (signup === 'open') return [];
  return [{ sql: selectInvited(phone), errorIfNoRow: notInvitedError }];
}

/** An invitation ends when it is used or withdrawn. */
export function endInvitationStatement(phone: string): Sql {
  return sql`DELETE FROM invitations WHERE phone = ${phone} RETURNING phone`;
}
