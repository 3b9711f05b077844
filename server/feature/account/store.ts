import type { AccountSession } from '#contract/account.ts';
import { UniqueViolation, replaceError } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { requireInvitationStatements } from '#server/adapter/otp/store.ts';
import type { Signup } from '#server/adapter/otp/store.ts';
import { ApiError } from '#server/error.ts';
import type { Caller } from '#server/http/route.ts';
import { replacePhoneStatements } from '#server/adapter/remove-user.ts';
import type { PhoneChange } from '#server/adapter/remove-user.ts';
import { stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import type { Sessions } from '#server/adapter/session.ts';

/** Returns the session of this call first, and then the others by their last use. */
export async function listSessions(
  sessions: Sessions,
  { userId, tokenHash }: Caller,
): Promise<AccountSession[]> {
  const listed = (await sessions.list(userId)).map((session) => ({
    device: session.device,
    signedInAt: new Date(session.createdAt).toISOString(),
    usedAt: new Date(session.usedAt).toISOString(),
    isCurrent: session.tokenHash === tokenHash,
  }));
  return listed.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}

/** The sessions end in a transaction of their own, so that they never wait for the webhook. */
export async function endOtherSessions(database: Database, caller: Caller): Promise<void> {
  await database.run(endOtherSessionsStatement(caller));
  await database.run(stopWebhookStatement(caller.userId));
}

interface VerifiedChange extends Omit<PhoneChange, 'userId'> {
  readonly signup: Signup;
  readonly statements: readonly Statement[];
}

/** Also ends every other session. Throws ApiError 'phone_taken' if the number already has an account. */
export async function replaceLoginPhone(
  database: Database,
  caller: Caller,
  { statements, signup, ...change }: VerifiedChange,
): Promise<void> {
  if (change.phone === change.previous) throw phoneTakenError();
  const batch = [
    ...statements,
    ...requireInvitationStatements(signup, change.phone),
    ...replacePhoneStatements({ ...change, userId: caller.userId }),
    endOtherSessionsStatement(caller),
  ];
  await database.batch(batch).catch(replaceError(UniqueViolation, phoneTakenError));
}

function endOtherSessionsStatement({ userId, tokenHash }: Caller): Sql {
  return sql`DELETE FROM sessions WHERE user_id = ${userId} AND token_hash <> ${tokenHash}`;
}

function phoneTakenError(): ApiError {
  return new ApiError(
    'phone_taken',
    'This number already has an account. Use another number, or sign in with this one.',
  );
}
