import type { Reply } from '#contract/endpoint.ts';
import type { sendCode, verifyCode } from '#contract/signin.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { createCodeStep } from './code-step.ts';
import { codeTexts } from './form-step.ts';
import type { Step } from './form-step.ts';
import { createPhoneStep } from './phone-step.ts';
import type { PhoneTexts } from './phone-step.ts';
import { createSentCode, storeSentCode, storedSentCode } from './sent-code.ts';
import type { SentCode } from './sent-code.ts';

/** For the page's navigation after the token. */
const NAVIGATION_TIMEOUT_MS = 10 * SECOND_MS;

/** Both reject with RequestError only. */
export interface ProviderCalls {
  /** `replaces` is the challenge of a code, and undefined is not sent. */
  send(phone: string, replaces?: string): Promise<Reply<typeof sendCode>>;
  verify(challenge: string, code: string): Promise<Reply<typeof verifyCode>>;
}

interface WidgetOptions extends PhoneTexts {
  readonly calls: ProviderCalls;
  /** In a dialog '' withdraws a token. */
  readonly submit: (token: string) => unknown;
  /** 'whatsapp' where every code comes by WhatsApp. */
  readonly sentBy?: string | undefined;
}

/** With `phone` in a dialog, which sends the token itself. */
export function createWidget({ calls, submit, sentBy, ...phoneTexts }: WidgetOptions) {
  const isInDialog = phoneTexts.phone !== undefined;
  const phone = createPhoneStep(phoneTexts);
  const code = createCodeStep(phoneTexts.phone);
  let challenge = '';
  const message = createMessageReader(async (received) => {
    code.textInput.value = received;
    await code.run(verify);
  });

  function showPhone(): void {
    message.stop();
    if (isInDialog) void submit('');
    else storeSentCode(null);
    showStep(phone, code);
  }

  function showCode(sent: SentCode): void {
    challenge = sent.challenge;
    phone.setText(sent.typed);
    code.showSent(sent, sentBy);
    showStep(code, phone);
    void message.read();
  }

  /** `replaces` is the challenge of the code that it sends by SMS instead. */
  async function send(replaces?: string): Promise<void> {
    const typed = phone.textInput.value;
    const reply = await calls.send(typed, replaces);
    const sent = createSentCode(reply, typed, replaces !== undefined);
    if (!isInDialog) storeSentCode(sent);
    showCode(sent);
  }

  async function verify(): Promise<void> {
    if (code.textInput.readOnly) return;
    const { token } = await calls.verify(challenge, code.textInput.value);
    message.stop();
    code.setVerified(isInDialog);
    if (isInDialog) return void submit(token);
    storeSentCode(null);
    await submit(token);
    // The page navigates now. The form stays busy meanwhile, so that the code is not sent again.
    await new Promise((resolve) => setTimeout(resolve, NAVIGATION_TIMEOUT_MS));
    showPhone();
    phone.showError(codeTexts().notFinishedNewCode);
  }

  async function resendCode(): Promise<void> {
    if (code.isBusy()) return;
    code.resend.disabled = true;
    const error = await code.run(() => send());
    if (error) code.waitUntil(Date.now() + error.waitSeconds * SECOND_MS);
  }

  phone.onSubmit(() => send());
  code.onSubmit(verify);
  code.change.addEventListener('click', () => {
    if (!code.isBusy()) showPhone();
  });
  code.resend.addEventListener('click', () => void resendCode());
  code.sms.addEventListener('click', () => void code.run(() => send(challenge)));
  // After a reload, or after the browser has discarded the tab.
  const stored = isInDialog ? null : storedSentCode();
  if (stored) showCode(stored);
  return createElement('div', { class: 'otp' }, [phone.form, code.form]);
}

function showStep(step: Step, other: Step): void {
  other.form.hidden = true;
  step.form.hidden = false;
  step.focus();
  // After a reload the form is not in the page yet.
  setTimeout(step.focus);
}

/** WebOTP (Chrome on Android). */
function createMessageReader(onCode: (code: string) => Promise<unknown>) {
  let reading = new AbortController();
  const stop = () => reading.abort();
  const read = async () => {
    stop();
    reading = new AbortController();
    if (!('OTPCredential' in window)) return;
    const request = { otp: { transport: ['sms'] }, signal: reading.signal };
    const credential = await navigator.credentials.get(request).catch(() => null);
    if (credential && 'code' in credential) await onCode(String(credential.code));
  };
  return { read, stop };
}
