import { API_ERRORS } from '#contract/api-error.ts';
import { authenticatePhone } from '#contract/signin.ts';
import { getUser } from '#contract/user.ts';
import { pageAfterSignIn } from '#domain/signin.ts';
import { call, FORBIDDEN_STATUS, revokeSession } from '#web/shared/http/call.ts';
import { loadWithReason } from '#web/shared/http/session-end.ts';
import {
  clearStorage,
  removeOtherDrafts,
  storedId,
  storedToken,
  storeSession,
} from '#web/shared/http/storage.ts';
import { PATHS } from '#domain/path.ts';

/** 'rejected': the token is invalid. 'blocked': the operator has blocked the card. */
type ExchangeResult = 'navigating' | 'rejected' | 'blocked' | 'unreachable';

/** Ends the previous session (docs/security.md#sessions). A full load drops the provider's code. */
export async function exchangeToken(token: string): Promise<ExchangeResult> {
  const session = await call(authenticatePhone, {}, { authorization: token });
  if (session.status === API_ERRORS.card_blocked) return 'blocked';
  if (session.error?.error === 'not_invited') {
    loadWithReason(PATHS.start + location.search, 'notInvited');
    return 'navigating';
  }
  if (!session.body) return session.status === FORBIDDEN_STATUS ? 'rejected' : 'unreachable';
  const previousToken = storedToken();
  if (previousToken !== null) await revokeSession(previousToken);
  const previousId = storedId();
  if (previousId !== null && previousId !== session.body._id) await clearStorage();
  // After the end of a session its drafts stay.
  await removeOtherDrafts(session.body._id);
  storeSession(session.body);
  const user = await call(getUser);
  if (user.body) location.assign(pageAfterSignIn(user.body));
  else loadWithReason(PATHS.start + location.search, 'userFetchFailed');
  return 'navigating';
}
