import { loginAction } from '#domain/signin.ts';
import { clearStateOfLastVisit, takeRedirectReason } from '#web/shared/http/session-end.ts';
import {
  clearSession,
  hasMarker,
  removeOfflineCopy,
  storedId,
  storedToken,
} from '#web/shared/http/storage.ts';
import { PATHS } from '#domain/path.ts';
import { startVitals } from '#web/shared/vitals/start.ts';

import { startSignIn } from './sign-in.ts';

/* The login page's document is complete without it (docs/product.md#login-page). */

clearStateOfLastVisit();
const reason = takeRedirectReason();
const action = loginAction({
  hasId: storedId() !== null,
  hasToken: storedToken() !== null,
  hasMarker: hasMarker(),
  isRedirected: reason !== null,
});
if (action === 'clear') clearSession();
// A page that ended the session may have been closed before it had removed everything.
if (storedId() === null) {
  void removeOfflineCopy();
  // React Router writes them when a page is left.
  sessionStorage.removeItem('react-router-scroll-positions');
}

const panel = document.querySelector<HTMLElement>('.signin-panel');
// A full page load, because the dashboard must not run under this page's Content-Security-Policy.
if (action === 'dashboard') location.replace(PATHS.dashboard);
else if (panel) startSignIn(panel, reason);
// After a reload Back only changes the address: the owner's page is an entry of the same document.
window.addEventListener('popstate', () => location.reload());
startVitals();
