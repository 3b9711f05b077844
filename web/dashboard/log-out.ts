import { logout } from '#contract/user.ts';
import { call } from '#web/http/call.ts';
import { forgetProfile } from '#web/http/profile.ts';
import { clearStorage, storedToken } from '#web/http/session.ts';

/** How long the server may take to end the session before the browser goes on without it. */
const PATIENCE_MS = 3000;

/** Ends the session on the server as best it can, and in this browser in any case. */
export async function logOut(): Promise<void> {
  const authorization = storedToken() ?? '';
  clearStorage();
  const patience = new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([call(logout, {}, { authorization }), patience]);
  forgetProfile();
}
