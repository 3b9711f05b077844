import { authenticatePhone } from '#contract/signin.ts';
import { getUser } from '#contract/user.ts';
import { pageAfterSignIn } from '#domain/signin.ts';
import { call } from '#web/http/call.ts';
import { reloadWithReason } from '#web/http/redirect-reason.ts';
import { revokeSession } from '#web/http/revoke-session.ts';
import { storeSession, storedToken } from '#web/http/session.ts';
import { PATHS } from '#web/paths.ts';

const REJECTED_STATUS = 403;

/** 'navigating': the next page is loading. 'rejected': the token is invalid. */
type ExchangeResult = 'navigating' | 'rejected' | 'unreachable';

/**
 * Exchanges the provider's token for a session, ends the browser's previous one
 * (docs/security.md#sessions), then navigates by a full page load, so that no code
 * of the provider remains in a page with the owner's data (docs/product.md#login-page).
 */
export async function exchangeToken(token: string): Promise<ExchangeResult> {
  const session = await call(authenticatePhone, {}, { authorization: token });
  if (!session.body) return session.status === REJECTED_STATUS ? 'rejected' : 'unreachable';
  // Otherwise the previous session would be valid without a browser that holds it.
  const previousToken = storedToken();
  if (previousToken !== null) await revokeSession(previousToken);
  storeSession(session.body);
  const user = await call(getUser, { params: { id: session.body._id } });
  if (user.body) location.assign(pageAfterSignIn(user.body));
  else reloadWithReason(PATHS.start, 'userFetchFailed');
  return 'navigating';
}
