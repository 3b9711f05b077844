import { SECOND_MS } from '#domain/duration.ts';
import { sentHint, storeSentCode } from '#web/shared/otp/sent-code.ts';
import { createElement } from '#web/shared/ui/create-element.ts';
import { createPhoneAndCode } from '#web/shared/otp/phone-and-code.ts';
import type { PhoneTexts } from '#web/shared/otp/phone-and-code.ts';
import { codeTexts } from '#web/shared/otp/texts.ts';

import type { ProviderCalls } from './calls.ts';

/** For the page's navigation after the token. */
const NAVIGATION_TIMEOUT_MS = 10 * SECOND_MS;

interface WidgetOptions extends PhoneTexts {
  readonly calls: ProviderCalls;
  readonly callback: (token: string) => unknown;
}

export function createWidget({ calls, callback, ...phoneTexts }: WidgetOptions) {
  let challenge = '';
  let webOtp = new AbortController();
  const { phone, code, countdown, send, showPhone, restore } = createPhoneAndCode({
    ...phoneTexts,
    send: calls.send,
    codeHint: sentHint,
    onSent: (sent) => {
      challenge = sent.challenge;
      void fillFromMessage();
    },
    onPhoneShown: () => webOtp.abort(),
  });

  /** In browsers with WebOTP. */
  async function fillFromMessage(): Promise<void> {
    webOtp.abort();
    webOtp = new AbortController();
    const received = await codeFromMessage(webOtp.signal);
    if (received === null) return;
    code.textInput.value = received;
    await code.run(verify);
  }

  async function verify(): Promise<void> {
    const { token } = await calls.verify(challenge, code.textInput.value);
    webOtp.abort();
    storeSentCode(null);
    await callback(token);
    // The page navigates now. The form stays busy meanwhile, so that the code is not sent again.
    await new Promise((resolve) => setTimeout(resolve, NAVIGATION_TIMEOUT_MS));
    showPhone();
    phone.showError(codeTexts().notFinishedNewCode);
  }

  async function resendCode(): Promise<void> {
    if (code.isBusy()) return;
    code.resend.disabled = true;
    const error = await code.run(() => send());
    if (error) countdown.start(error.waitSeconds);
  }

  code.onSubmit(verify);
  code.resend.addEventListener('click', () => void resendCode());
  code.sms.addEventListener('click', () => void code.run(() => send(challenge)));
  restore();
  return createElement('div', { class: 'otp' }, [phone.form, code.form]);
}

interface CodeRequest extends CredentialRequestOptions {
  readonly otp: { readonly transport: readonly ['sms'] };
}

/** WebOTP (Chrome on Android). Null without it, or after `signal`. Never rejects. */
async function codeFromMessage(signal: AbortSignal): Promise<string | null> {
  if (!('OTPCredential' in window)) return null;
  const request: CodeRequest = { otp: { transport: ['sms'] }, signal };
  try {
    const credential = await navigator.credentials.get(request);
    return credential && 'code' in credential ? String(credential.code) : null;
  } catch {
    return null;
  }
}
