import type { Catalogue } from '#domain/language/catalogue.ts';
import { DORMANT } from '#domain/language/en.ts';
import { fillText } from '#domain/language/plural.ts';
import { startNewCard } from '#contract/signin.ts';
import { call } from '#web/shared/http/call.ts';
import { confirm } from '#web/shared/http/report.ts';
import { loadCode } from '#web/shared/http/request.ts';
import { settings } from '#web/shared/http/settings.ts';
import type { WidgetFailure } from '#web/shared/otp/widget.ts';
import { canUsePasskeys } from '#web/shared/passkey/support.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { finishSignIn } from './finish.ts';

/** Asks what to do with a number whose account was not used for DORMANT_DAYS (docs/develop/product.md#login-page). */
export function askAboutDormant(sentence: string, token: string): WidgetFailure {
  const texts: Catalogue['dormant'] = settings().texts?.dormant ?? DORMANT;
  const note = createElement('p', { role: 'alert' });
  const showNote = (failure: WidgetFailure | null) => (note.textContent = failure?.sentence ?? '');
  const noPasskey = { sentence: fillText(texts.noPasskey, { email: settings().supportEmail }) };

  const itsMine = createButton(texts.itsMine, async () => {
    if (!canUsePasskeys()) return noPasskey;
    const { signInByPasskey } = await loadCode(import('./passkey.ts'));
    const outcome = await signInByPasskey();
    return outcome === 'cancelled' ? noPasskey : outcome;
  });
  const newCard = createButton(texts.startNewCard, async () =>
    confirm(texts.newCardWarning)
      ? finishSignIn(await call(startNewCard, { body: { token } }))
      : null,
  );

  function createButton(name: string, work: () => Promise<WidgetFailure | null>) {
    const button = createElement(
      'button',
      { type: 'button', class: 'ui-button ui-button-outlined' },
      [name],
    );
    button.addEventListener('click', async () => {
      button.disabled = true;
      showNote(await work().catch(({ message }: Error) => ({ sentence: message })));
      button.disabled = false;
    });
    return button;
  }
  return { sentence, controls: [itsMine, newCard, note] };
}
