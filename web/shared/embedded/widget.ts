import { SECOND_MS } from '#domain/duration.ts';
import { createElement } from '#web/shared/ui/create-element.ts';
import { createCodeStep, createPhoneStep, showStep } from '#web/shared/otp/phone-and-code.ts';
import { createSentCode, storeSentCode, storedSentCode } from '#web/shared/otp/sent-code.ts';
import type { SentCode } from '#web/shared/otp/sent-code.ts';
import { codeTexts } from '#web/shared/otp/texts.ts';

import type { ProviderCalls } from './calls.ts';

/** For the page's navigation after the token. */
const NAVIGATION_TIMEOUT_MS = 10 * SECOND_MS;

interface WidgetOptions {
  readonly calls: ProviderCalls;
  readonly callback: (token: string) => unknown;
  readonly phoneHint: string | undefined;
  readonly callingCode: string | undefined;
  /** 'whatsapp' where every code comes by WhatsApp. */
  readonly sentBy: string | undefined;
}

export function createWidget({ calls, callback, sentBy, ...phoneTexts }: WidgetOptions) {
  const phone = createPhoneStep(phoneTexts);
  const code = createCodeStep();
  let challenge = '';
  let webOtp = new AbortController();

  function showPhone(): void {
    webOtp.abort();
    storeSentCode(null);
    showStep(phone, code);
  }

  function showCode(sent: SentCode): void {
    challenge = sent.challenge;
    phone.setText(sent.typed);
    code.showSent(sent, sentBy);
    showStep(code, phone);
    void fillFromMessage();
  }

  /** `replaces` is the challenge of the code that it sends by SMS instead. */
  async function send(replaces?: string): Promise<void> {
    const typed = phone.textInput.value;
    const reply = await calls.send(typed, replaces);
    const sent = createSentCode(reply, typed, replaces !== undefined);
    storeSentCode(sent);
    showCode(sent);
  }

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
    if (error) code.countdown.start(error.waitSeconds);
  }

  phone.onSubmit(() => send());
  code.onSubmit(verify);
  code.change.addEventListener('click', () => {
    if (!code.isBusy()) showPhone();
  });
  code.resend.addEventListener('click', () => void resendCode());
  code.sms.addEventListener('click', () => void code.run(() => send(challenge)));
  // After a reload, or after the browser has discarded the tab.
  const stored = storedSentCode();
  if (stored) showCode(stored);
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
