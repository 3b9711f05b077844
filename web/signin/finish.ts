import { authenticatePhone } from '#contract/signin.ts';
import { getUser } from '#contract/user.ts';
import { pageAfterSignIn } from '#domain/signin.ts';
import { call } from '#web/http/call.ts';
import { storeSession } from '#web/http/session.ts';
import { reloadAtStart } from '#web/http/start-fact.ts';
import { PATHS } from '#web/paths.ts';

const REFUSED_STATUS = 403;

/** 'leaving': the next page is being loaded. Else why not, and whether the token may still do. */
export type SignInEnd = 'leaving' | 'refused' | 'unreachable';

/**
 * Exchanges the provider's token for a session, then leaves by a full page load, so that nothing
 * of the provider's is left where the owner's data is (specification, section 2).
 */
export async function finishSignIn(token: string): Promise<SignInEnd> {
  const answer = await call(authenticatePhone, {}, { authorization: token });
  if (!answer.body) return answer.status === REFUSED_STATUS ? 'refused' : 'unreachable';
  storeSession(answer.body);
  const user = await call(getUser, { params: { id: answer.body._id } });
  if (user.body) location.assign(pageAfterSignIn(user.body));
  else reloadAtStart(PATHS.start, 'userFetchFailed');
  return 'leaving';
}
