import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { removeItem } from '#web/shared/http/browser-storage.ts';
import { PROGRESS_TIMEOUT_MS, loadCode } from '#web/shared/http/request.ts';
import { clearStateOfLastVisit, takeRedirectReason } from '#web/shared/http/session-end.ts';
import type { RedirectReason } from '#web/shared/http/session-end.ts';
import {
  clearSession,
  hasSignedInMarker,
  removeOfflineCopy,
  storedId,
  storedToken,
} from '#web/shared/http/storage.ts';
import { PATHS } from '#domain/path.ts';
import { signinTexts, startWidget } from '#web/shared/otp/widget.ts';
import { canUsePasskeys } from '#web/shared/passkey/support.ts';
import { createElement } from '#web/shared/ui/create-element.ts';
import { startVitals } from '#web/shared/vitals/start.ts';

/* The login page's document is complete without this script (docs/develop/product.md#login-page). */

clearStateOfLastVisit();
const reason = takeRedirectReason();
const isSignedIn = storedId() !== null && storedToken() !== null;
// The marker without a session means that the storage was only partly cleared.
if (!isSignedIn && hasSignedInMarker()) clearSession();
// A page that ended the session may have been closed before it had removed everything.
if (storedId() === null) {
  void removeOfflineCopy();
  // React Router writes the scroll positions when a page is left.
  removeItem(BROWSER_STORAGE.sessionStorage.scrolling, 'sessionStorage');
}

const panel = document.querySelector<HTMLElement>('.signin-panel');
// This is a full page load, because the dashboard must not run under this page's Content-Security-Policy.
if (isSignedIn && reason === null) location.replace(PATHS.dashboard);
else if (panel) startSignIn(panel);
// After a reload, Back only changes the URL, because the owner's page is a history entry of this document.
window.addEventListener('popstate', reload);
startVitals();

function startSignIn(container: HTMLElement): void {
  const texts = signinTexts();
  const reasons = reason === null ? [] : [createReason(reason)];
  const widget = startWidget({
    storage: 'localStorage',
    busyText: texts.signingIn,
    useToken: async (token) => {
      for (const element of reasons) element.remove();
      return (await loadExchange()).exchangeToken(token);
    },
    timeoutFailure: { sentence: texts.unreachable, retry: reload },
  });
  container.replaceChildren(...reasons, widget);
  container.addEventListener('focusin', preloadExchange, { once: true });
  if (canUsePasskeys())
    requestAnimationFrame(() => setTimeout(() => void offerPasskeys(container)));
}

/** The code loads after the first paint. Without it the form still works. */
async function offerPasskeys(container: HTMLElement): Promise<void> {
  const code = await loadCode(import('./passkey.ts')).catch(() => null);
  await code?.offerPasskeys(container);
}

function reload(): void {
  location.reload();
}

/** Loads the exchange only for people who use the form, but before they use up a one-time code. */
const preloadExchange = () => void loadExchange().catch(() => null);
const loadExchange = () => loadCode(import('./exchange.ts'), PROGRESS_TIMEOUT_MS);

function createReason(redirectReason: RedirectReason): HTMLElement {
  const retry = createElement('a', { href: PATHS.dashboard }, [signinTexts().tryOnceMore]);
  return createElement('div', { class: 'signin-reason' }, [
    createElement('output', {}, [signinTexts()[redirectReason]]),
    ...(redirectReason === 'userFetchFailed' ? [retry] : []),
  ]);
}
