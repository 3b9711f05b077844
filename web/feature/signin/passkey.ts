import { signInWithPasskey } from '#contract/passkey.ts';
import { MINUTE_MS } from '#domain/duration.ts';
import { call, inLanguage } from '#web/shared/http/call.ts';
import { loadCode } from '#web/shared/http/request.ts';
import { settings } from '#web/shared/http/settings.ts';
import { signinTexts } from '#web/shared/otp/widget.ts';
import type { WidgetFailure } from '#web/shared/otp/widget.ts';
import { askForPasskey, forgetIfUnknown } from '#web/shared/passkey/passkey.ts';
import { setPasskeyOffer } from '#web/shared/passkey/offer.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

/** A challenge lasts five minutes. */
const RENEWAL_MS = 4 * MINUTE_MS;

/** Whether the browser asks for a passkey because of a press. A suggestion for the field would end that. */
let isAsking = false;

/** Returns the failure, or null once the next page is loading. `onAnswer` is called when a passkey was chosen. */
export async function signInByPasskey(
  isInField = false,
  onAnswer: () => void = () => undefined,
): Promise<WidgetFailure | 'cancelled' | null> {
  if (isAsking) return 'cancelled';
  isAsking = !isInField;
  const mayAsk = () => !isInField || !isAsking;
  const assertion = await askForPasskey({ isInField, mayAsk }, inLanguage).catch(() => null);
  if (!isInField) isAsking = false;
  if (assertion === null) return 'cancelled';
  onAnswer();
  setPasskeyOffer(false);
  const { finishSignIn } = await loadCode(import('./finish.ts'));
  const result = await call(signInWithPasskey, { body: assertion }, inLanguage);
  await forgetIfUnknown(result, assertion);
  const failure = await finishSignIn(result);
  return failure && { ...failure, sentence: result.error?.message || failure.sentence };
}

/** Offers passkeys below the form, and in the phone field where the browser can suggest them there. */
export async function offerPasskeys(container: HTMLElement): Promise<void> {
  const className = 'ui-button ui-button-outlined signin-passkey';
  const button = createElement('button', { type: 'button', class: className }, [
    signinTexts().usePasskey,
  ]);
  // It is not in the page before there is something to say, beside the alert of the form.
  const message = createElement('p', { class: 'otp-error', role: 'alert' });
  container.append(button);

  async function signIn(isInField: boolean): Promise<void> {
    const outcome = await signInByPasskey(isInField, () => {
      message.remove();
      button.disabled = true;
    });
    if (outcome === 'cancelled' || outcome === null) return;
    message.textContent = outcome.sentence;
    container.append(message);
    button.disabled = false;
  }

  const canSuggest =
    settings().provider?.kind === 'embedded' &&
    (await PublicKeyCredential.isConditionalMediationAvailable?.());
  if (canSuggest) markPhoneField(container);
  // The cookie of the browser has the newest challenge only, which may be that of another tab.
  const suggest = () => {
    if (canSuggest && document.visibilityState === 'visible' && !button.disabled) void signIn(true);
  };
  button.addEventListener('click', () => void signIn(false).finally(suggest));
  document.addEventListener('visibilitychange', suggest);
  setInterval(suggest, RENEWAL_MS);
  suggest();
}

/** Lets the browser suggest passkeys in the phone field, which the provider's script may insert later. */
function markPhoneField(container: HTMLElement): void {
  const mark = () =>
    container.querySelector('[name="phone"]')?.setAttribute('autocomplete', 'tel webauthn');
  new MutationObserver(mark).observe(container, { childList: true, subtree: true });
  mark();
}
