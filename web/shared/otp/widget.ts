import type { ProviderSettings } from '#contract/browser-settings.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { settings } from '#web/shared/http/settings.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { createFailure, createSkeleton, signinTexts } from './widget-content.ts';
import { embedded, msg91, otpless } from './script-widgets.ts';
import type { OnToken, ProviderWidget } from './script-widgets.ts';

const WIDGETS: Readonly<Record<ProviderSettings['kind'], ProviderWidget>> = {
  embedded,
  otpless,
  msg91,
};

/** Then loading is called slow. The script may still load. */
const SLOW_AFTER_MS = 8 * SECOND_MS;

/** The same blocks as in view/signin-page.tsx. */
const WIDGET_BLOCKS = ['widget-label', 'widget-input', 'widget-button'] as const;

export function startWidget(onToken: OnToken): HTMLElement {
  const { provider } = settings();
  const texts = signinTexts();
  const status = createElement('div', {});
  const element = createElement('div', { class: 'widget' });
  if (!provider) return element;
  const { containerId, start } = WIDGETS[provider.kind];
  element.append(createElement('div', { id: containerId }), status);

  async function load(selected: ProviderSettings): Promise<void> {
    status.replaceChildren(createSkeleton(texts.loading, WIDGET_BLOCKS));
    const slow = setTimeout(
      () => status.append(createElement('output', {}, [texts.slow])),
      SLOW_AFTER_MS,
    );
    try {
      await start(selected, onToken);
      status.replaceChildren();
    } catch (cause) {
      logFailure('The login provider did not load', cause);
      status.replaceChildren(createFailure(texts.notLoaded, () => void load(selected), 'outlined'));
    }
    clearTimeout(slow);
  }

  // Deferred until the caller has inserted the container into the document.
  queueMicrotask(() => void load(provider));
  return element;
}
