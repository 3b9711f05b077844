import type { RedirectReason } from '#web/shared/http/session-end.ts';
import { PATHS } from '#domain/path.ts';
import { createFailure, createSkeleton, signinTexts } from '#web/shared/otp/widget-content.ts';
import { startWidget } from '#web/shared/otp/widget.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

const ERROR_TEXTS = {
  rejected: 'rejected',
  blocked: 'cardBlocked',
  unreachable: 'unreachable',
} as const;

export function startSignIn(panel: HTMLElement, reason: RedirectReason | null): void {
  const status = createElement('div', {}, reason === null ? [] : [createReason(reason)]);
  // Hidden instead of removed: the provider's script holds a reference to the container.
  const widget = startWidget((token) => exchange(token));
  panel.replaceChildren(status, widget);

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

function createReason(reason: RedirectReason): HTMLElement {
  const retry = createElement('a', { href: PATHS.dashboard }, [signinTexts().tryOnceMore]);
  return createElement('div', { class: 'signin-reason' }, [
    createElement('output', {}, [signinTexts()[reason]]),
    ...(reason === 'userFetchFailed' ? [retry] : []),
  ]);
}
