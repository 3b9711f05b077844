import { loginAction } from '#domain/signin.ts';
import { clearStateOfLastVisit, takeRedirectReason } from '#web/shared/http/session-end.ts';
import type { RedirectReason } from '#web/shared/http/session-end.ts';
import {
  clearSession,
  hasMarker,
  removeOfflineCopy,
  storedId,
  storedToken,
} from '#web/shared/http/storage.ts';
import { PATHS } from '#domain/path.ts';
import { createFailure, createSkeleton, signinTexts } from '#web/shared/otp/widget-content.ts';
import { startWidget } from '#web/shared/otp/widget.ts';
import { createElement } from '#web/shared/ui/create-element.ts';
import { startVitals } from '#web/shared/vitals/start.ts';

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
else if (panel) startSignIn(panel);
// After a reload Back only changes the address: the owner's page is an entry of the same document.
window.addEventListener('popstate', () => location.reload());
startVitals();

const ERROR_TEXTS = {
  rejected: 'rejected',
  blocked: 'cardBlocked',
  unreachable: 'unreachable',
} as const;

function startSignIn(container: HTMLElement): void {
  const status = createElement('div', {}, reason === null ? [] : [createReason(reason)]);
  // Hidden instead of removed: the provider's script holds a reference to the container.
  const widget = startWidget((token) => exchange(token));
  container.replaceChildren(status, widget);

  async function exchange(token: string): Promise<void> {
    widget.hidden = true;
    status.replaceChildren(
      createSkeleton(signinTexts().signingIn, ['widget-label', 'widget-button']),
    );
    const { exchangeToken } = await import('./exchange.ts');
    const result = await exchangeToken(token);
    if (result === 'navigating') return;
    // A rejected token stays invalid, and the widget starts again only in a new page.
    const retry = () => (result === 'unreachable' ? void exchange(token) : location.reload());
    status.replaceChildren(createFailure(signinTexts()[ERROR_TEXTS[result]], retry, 'main'));
  }
}

function createReason(shown: RedirectReason): HTMLElement {
  const retry = createElement('a', { href: PATHS.dashboard }, [signinTexts().tryOnceMore]);
  return createElement('div', { class: 'signin-reason' }, [
    createElement('output', {}, [signinTexts()[shown]]),
    ...(shown === 'userFetchFailed' ? [retry] : []),
  ]);
}
