import { API_ERRORS } from '#contract/api-error.ts';
import type { Reply } from '#contract/endpoint.ts';
import type { authenticatePhone } from '#contract/signin.ts';
import { getUser } from '#contract/user.ts';
import { PATHS } from '#domain/path.ts';
import { pageAfterSignIn } from '#domain/signin.ts';
import { call, FORBIDDEN_STATUS, revokeSession } from '#web/shared/http/call.ts';
import type { CallResult } from '#web/shared/http/call.ts';
import { loadWithReason } from '#web/shared/http/session-end.ts';
import {
  clearStorage,
  removeOtherDrafts,
  storedId,
  storedToken,
  storeSession,
} from '#web/shared/http/storage.ts';
import { settings } from '#web/shared/http/settings.ts';
import { signinTexts } from '#web/shared/otp/widget.ts';
import type { WidgetFailure } from '#web/shared/otp/widget.ts';

// A rejected token stays invalid, and the widget can start again only after a reload.
const reloadPage = () => location.reload();

type Session = Reply<typeof authenticatePhone>;

/**
 * Starts a session and ends the previous one (docs/develop/security.md#sessions). Returns the failure, or null after it has
 * started a full page load.
 */
export async function finishSignIn(session: CallResult<Session>): Promise<WidgetFailure | null> {
  const texts = signinTexts();
  if (session.status === API_ERRORS.card_blocked)
    return { sentence: texts.cardBlocked, retry: reloadPage };
  if (session.error?.error === 'not_invited') {
    loadWithReason(PATHS.start + location.search, 'notInvited');
    return null;
  }
  // A proxy's 403, which contains no error of this service, says nothing about the token.
  const isRejected = session.status === FORBIDDEN_STATUS && session.error !== null;
  const isCompanyLogin = settings().provider?.kind === 'oidc';
  const rejected = isCompanyLogin ? texts.signInAgain : texts.rejected;
  const isVouched = session.error?.error !== 'not_vouched';
  if (isRejected) return { sentence: isVouched ? rejected : texts.notVouched, retry: reloadPage };
  if (!session.body) return { sentence: texts.unreachable };
  const previousToken = storedToken();
  if (previousToken !== null) await revokeSession(previousToken);
  const previousId = storedId();
  if (previousId !== null && previousId !== session.body._id) await clearStorage();
  // Drafts outlive their session, so another user's may still be here.
  await removeOtherDrafts(session.body._id);
  if (!storeSession(session.body)) {
    await revokeSession(session.body.sessionToken);
    return { sentence: texts.allowStorage };
  }
  const user = await call(getUser);
  if (user.body) location.assign(pageAfterSignIn(user.body));
  else loadWithReason(PATHS.start + location.search, 'userFetchFailed');
  return null;
}
