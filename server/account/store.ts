import type { AccountSession } from '#contract/account.ts';
import { UniqueViolation } from '#server/db/database.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { ApiError } from '#server/http/api-error.ts';
import { sessionInvalidError } from '#server/http/caller.ts';
import type { Caller } from '#server/http/caller.ts';
import { findLoginPhone, rejectBlockedStatements } from '#server/profile/store.ts';
import { deleteDataOfPhoneStatements } from '#server/removal/traces.ts';
import { validSessionsCondition } from '#server/session/session.ts';
import type { Sessions } from '#server/session/session.ts';

/** Contacts in one read of the download. */
const CONTACTS_PER_READ = 500;
/** Sorts after the id of every contact. */
const ID_AFTER_ALL = '~';

/** Returns the sessions of a user that have not ended, the one of the call first, then by last use. */
export async function listSessions(
  database: Database,
  sessions: Sessions,
  { userId, tokenHash }: Caller,
): Promise<AccountSession[]> {
  const rows = await database.all<{
    token_hash: string;
    device: string;
    created_at: number;
    used_at: number;
  }>(
    `SELECT token_hash, device, created_at, used_at FROM sessions
     WHERE user_id = $1 AND ${validSessionsCondition(2)} ORDER BY used_at DESC, token_hash`,
    [userId, ...sessions.times()],
  );
  const listed = rows.map((row) => ({
    device: row.device,
    signedInAt: new Date(row.created_at).toISOString(),
    usedAt: new Date(row.used_at).toISOString(),
    isCurrent: row.token_hash === tokenHash,
  }));
  return listed.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}

/** Ends every session of the caller but the one of the call. */
export async function endOtherSessions(database: Database, caller: Caller): Promise<void> {
  const { sql, values } = endOthersStatement(caller);
  await database.run(sql, values);
}

/**
 * Replaces the login phone of the caller and ends every other session, in one batch. Throws ApiError
 * 'phone_taken' (409) for the phone of another account, 'card_blocked' (410), and 'session_invalid' (403)
 * if the session has ended meanwhile. What is stored under the previous phone is deleted.
 */
export async function replaceLoginPhone(
  database: Database,
  caller: Caller,
  {
    phone,
    useStatement,
    now,
  }: { readonly phone: string; readonly useStatement: Statement; readonly now: number },
): Promise<void> {
  const { userId, tokenHash } = caller;
  const previous = await findLoginPhone(database, userId);
  const batch: Statement[] = [
    useStatement,
    ...rejectBlockedStatements(userId),
    ...(previous === null ? [] : deleteDataOfPhoneStatements(previous)),
    {
      // The provider can take seconds. A session that has ended meanwhile changes nothing.
      sql: `UPDATE users SET login_phone = $2, updated_at = $3
        WHERE id = $1 AND EXISTS (SELECT 1 FROM sessions WHERE token_hash = $4 AND user_id = $1)
        RETURNING id`,
      values: [userId, phone, now, tokenHash],
      errorIfNoRow: sessionInvalidError,
    },
    endOthersStatement(caller),
  ];
  await database.batch(batch).catch((error: unknown) => {
    throw error instanceof UniqueViolation ? phoneTaken() : error;
  });
}

function endOthersStatement({ userId, tokenHash }: Caller): Statement {
  return {
    sql: 'DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2',
    values: [userId, tokenHash],
  };
}

function phoneTaken(): ApiError {
  return new ApiError(
    'phone_taken',
    'This number has an account already. Use another number, or sign in with this one.',
  );
}

/** A contact with all that is stored of it. */
export interface StoredContact {
  readonly name: string;
  readonly mobile: string;
  readonly email: string;
  readonly companyName: string;
  /** When it arrived, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Whether it arrived after the first 500 of its day. */
  readonly isHeld: boolean;
}

interface ContactRow {
  id: string;
  name: string;
  mobile: string;
  email: string;
  company_name: string;
  created_at: number;
}

/** Yields all contacts of a user in pages, the newest first and the held ones last. */
export async function* readContactPages(
  database: Database,
  userId: string,
): AsyncGenerator<StoredContact[]> {
  for (const held of [0, 1]) {
    let before = ID_AFTER_ALL;
    for (;;) {
      const rows = await database.all<ContactRow>(
        `SELECT id, name, mobile, email, company_name, created_at FROM contacts
         WHERE user_id = $1 AND held = $2 AND id < $3 ORDER BY id DESC LIMIT ${CONTACTS_PER_READ}`,
        [userId, held, before],
      );
      yield rows.map((row) => ({
        name: row.name,
        mobile: row.mobile,
        email: row.email,
        companyName: row.company_name,
        createdAt: row.created_at,
        isHeld: held === 1,
      }));
      const last = rows.at(-1);
      if (last === undefined || rows.length < CONTACTS_PER_READ) break;
      before = last.id;
    }
  }
}
