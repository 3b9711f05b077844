import type { CheckedStatement, Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { notInvitedError } from '#server/error.ts';

export type Signup = 'open' | 'invited';

function selectInvited(phone: string): Sql {
  return sql`SELECT 1 AS found FROM users WHERE login_phone = ${phone}
    UNION ALL SELECT 1 FROM invitations WHERE phone = ${phone}`;
}

export async function isServed(
  database: Database,
  { signup, phone }: { readonly signup: Signup; readonly phone: string },
): Promise<boolean> {
  return signup === 'open' || (await database.all(selectInvited(phone))).length > 0;
}

export function requireInvitationStatements(signup: Signup, phone: string): CheckedStatement[] {
  if (signup === 'open') return [];
  return [{ sql: selectInvited(phone), errorIfNoRow: notInvitedError }];
}

export function endInvitationStatement(phone: string): Sql {
  return sql`DELETE FROM invitations WHERE phone = ${phone} RETURNING phone`;
}
