import { CARD_BLOCKED_FOR_OWNER } from '#domain/blocked-card.ts';
import type { RedirectReason } from '#web/http/redirect-reason.ts';
import { PATHS } from '#domain/path.ts';
import { createFailure, createSkeleton } from '#web/otp/widget-content.ts';
import { startWidget } from '#web/otp/widget.ts';
import { createElement } from '#web/ui/create-element.ts';

const REASON_TEXTS: Readonly<Record<RedirectReason, string>> = {
  userFetchFailed: 'We could not load your card just now. Sign in again, or try once more.',
  cardBlocked: CARD_BLOCKED_FOR_OWNER,
  sessionEnded: 'Your session is over. Sign in again; what you typed is kept.',
  loggedOut: 'Your session is over. Sign in again.',
  accountDeleted: 'Your account is deleted. We cannot reach a link preview that a chat has kept.',
};

const ERROR_TEXTS = {
  rejected: 'This sign-in is not valid any more. Try again with a new code.',
  blocked: CARD_BLOCKED_FOR_OWNER,
  unreachable: 'We could not finish signing you in just now.',
} as const;

export function startSignIn(panel: HTMLElement, reason: RedirectReason | null): void {
  const status = createElement('div', {}, reason === null ? [] : [createReason(reason)]);
  // Hidden instead of removed: the provider's script holds a reference to the container.
  const widget = startWidget((token) => exchange(token));
  panel.replaceChildren(status, widget);

  async function exchange(token: string): Promise<void> {
    widget.hidden = true;
    status.replaceChildren(createSkeleton('Signing in', ['widget-label', 'widget-button']));
    const { exchangeToken } = await import('./exchange.ts');
    const result = await exchangeToken(token);
    if (result === 'navigating') return;
    // A rejected token stays invalid, and the widget starts again only in a new page.
    const retry = () => (result === 'unreachable' ? void exchange(token) : location.reload());
    status.replaceChildren(createFailure(ERROR_TEXTS[result], retry, 'main'));
  }
}

function createReason(reason: RedirectReason): HTMLElement {
  const retry = createElement('a', { href: PATHS.dashboard }, ['Try once more']);
  return createElement('div', { class: 'signin-reason' }, [
    createElement('output', {}, [REASON_TEXTS[reason]]),
    ...(reason === 'userFetchFailed' ? [retry] : []),
  ]);
}
