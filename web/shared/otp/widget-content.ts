import type { Catalogue } from '#domain/language/catalogue.ts';
import { SIGNIN } from '#domain/language/en.ts';
import { settings } from '#web/shared/http/settings.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

/** The texts of the login page. */
export const signinTexts = (): Catalogue['signin'] => settings().texts?.signin ?? SIGNIN;

export function createSkeleton(message: string, blocks: readonly string[]): HTMLElement {
  const skeletons = blocks.map((block) =>
    createElement('span', { class: `skeleton ${block}`, 'aria-hidden': 'true' }),
  );
  const status = createElement('output', { class: 'visually-hidden' }, [message]);
  return createElement('div', { class: 'widget-skeleton' }, [...skeletons, status]);
}

export function createFailure(
  sentence: string,
  onRetry: () => void,
  variant: 'main' | 'outlined',
): HTMLElement {
  const button = createElement(
    'button',
    { type: 'button', class: `ui-button ui-button-${variant}` },
    [signinTexts().tryAgain],
  );
  button.addEventListener('click', onRetry);
  return createElement('div', { class: 'widget-failed', role: 'alert' }, [
    createElement('p', {}, [sentence]),
    button,
  ]);
}
