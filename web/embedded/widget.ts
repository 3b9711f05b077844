import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { createSentCode, storeSentCode, storedSentCode } from '#web/otp/sent-code.ts';
import type { SentCode } from '#web/otp/sent-code.ts';
import { createElement } from '#web/ui/create-element.ts';
import {
  createCodeStep,
  createCountdown,
  createPhoneStep,
  showStep,
} from '#web/otp/phone-and-code.ts';

import type { ProviderCalls } from './calls.ts';

/** The time limit for the page's navigation after the token. */
const NAVIGATION_TIMEOUT_MS = 10 * SECOND_MS;

interface WidgetOptions {
  readonly calls: ProviderCalls;
  /** Gets the exchange token. */
  readonly callback: (token: string) => unknown;
  /** The text below the phone. */
  readonly phoneHint?: string | undefined;
}

/** Creates the widget: first the phone, then the code. */
export function createWidget({ calls, callback, phoneHint }: WidgetOptions) {
  const phone = createPhoneStep(phoneHint);
  const code = createCodeStep();
  const countdown = createCountdown(code.resend);
  let challenge = '';
  let webOtp = new AbortController();

  function showPhone(): void {
    webOtp.abort();
    storeSentCode(null);
    showStep(phone, code);
  }

  async function send(): Promise<void> {
    const typed = phone.textInput.value;
    const sent = createSentCode(await calls.send(typed), typed);
    storeSentCode(sent);
    showCode(sent);
  }

  function showCode(sent: SentCode): void {
    challenge = sent.challenge;
    phone.textInput.value = sent.typed;
    countdown.startUntil(sent.resendAt);
    code.hintLine.textContent = sentHint(sent);
    code.clear();
    showStep(code, phone);
    void fillFromMessage();
  }

  /** Fills in and verifies the code from the text message, in browsers with WebOTP. */
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
    phone.showError('Signing in did not finish. Ask for a new code.');
  }

  async function resendCode(): Promise<void> {
    if (code.isBusy()) return;
    code.resend.disabled = true;
    const error = await code.run(send);
    if (error) countdown.start(error.waitSeconds);
  }

  phone.onSubmit(send);
  code.onSubmit(verify);
  code.resend.addEventListener('click', () => void resendCode());
  code.change.addEventListener('click', () => {
    if (!code.isBusy()) showPhone();
  });
  // After a reload, or after the browser had discarded the tab.
  const stored = storedSentCode();
  if (stored) showCode(stored);
  return createElement('div', { class: 'otp' }, [phone.form, code.form]);
}

function sentHint({ phone, lifeSeconds }: SentCode): string {
  const minutes = Math.round((lifeSeconds * SECOND_MS) / MINUTE_MS);
  return `Sent to ${phone}. Good for ${minutes} minutes.`;
}

interface CodeRequest extends CredentialRequestOptions {
  readonly otp: { readonly transport: readonly ['sms'] };
}

/**
 * Waits for a text message and returns its code (WebOTP, Chrome on Android); null without WebOTP or
 * after `signal`. Never rejects.
 */
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
