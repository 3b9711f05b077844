import type { AccountSession } from '#contract/account.ts';
import { UniqueViolation, replaceError } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { requireInvitationStatements } from '#server/adapter/invitation/store.ts';
import type { Signup } from '#server/adapter/invitation/store.ts';
import { ApiError } from '#server/error.ts';
import type { Caller } from '#server/http/route.ts';
import { replacePhoneStatements } from '#server/adapter/removal/remove-user.ts';
import { stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import type { Sessions } from '#server/adapter/session/session.ts';

/** The one of the call first, then by last use. */
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

export async function endOtherSessions(database: Database, caller: Caller): Promise<void> {
  await database.batch([endOthersStatement(caller), stopWebhookStatement(caller.userId)]);
}

/** Ends every other session too, in a batch that begins with `statements`. */
export async function replaceLoginPhone(
  database: Database,
  caller: Caller,
  {
    statements,
    signup,
    ...change
  }: {
    readonly signup: Signup;
    readonly statements: readonly Statement[];
    readonly previous: string;
    readonly phone: string;
    readonly now: number;
  },
): Promise<void> {
  if (change.phone === change.previous) throw phoneTaken();
  const batch = [
    ...statements,
    ...requireInvitationStatements(signup, change.phone),
    ...replacePhoneStatements({ ...change, userId: caller.userId }),
    endOthersStatement(caller),
  ];
  await database.batch(batch).catch(replaceError(UniqueViolation, phoneTaken));
}

function endOthersStatement({ userId, tokenHash }: Caller): Sql {
  return sql`DELETE FROM sessions WHERE user_id = ${userId} AND token_hash <> ${tokenHash}`;
}

function phoneTaken(): ApiError {
  return new ApiError(
    'phone_taken',
    'This number has an account already. Use another number, or sign in with this one.',
  );
}
