import type { Reply } from '#contract/endpoint.ts';
import type { sendCode, verifyCode } from '#contract/signin.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { createCodeStep, createSentCodes } from './code-step.ts';
import type { CodeStepOptions, SentCode } from './code-step.ts';
import { createPhoneStep } from './step.ts';
import type { Step } from './step.ts';

/** The page has this much time to navigate after it has received the token. */
const NAVIGATION_TIMEOUT_MS = 10 * SECOND_MS;

/** Both calls reject only with a RequestError. */
export interface CodeCalls {
  /** Sends a code. With `replaces`, the challenge of an earlier code, it goes by SMS and replaces that one. */
  send(phone: string, replaces?: string): Promise<Reply<typeof sendCode>>;
  verify(challenge: string, code: string): Promise<Reply<typeof verifyCode>>;
}

export interface CodeFormOptions extends CodeStepOptions {
  readonly calls: CodeCalls;
  readonly storageKey: string;
  /** Receives the token. In a dialog, '' withdraws the token that was given before. */
  readonly onToken: (token: string) => unknown;
}

/** Creates the form of the login page, and of each dialog that needs a fresh code: it sends and verifies one. */
export function createCodeForm(options: CodeFormOptions): HTMLElement {
  const { texts, calls, storageKey, onToken, isInDialog = false } = options;
  const codes = createSentCodes(storageKey);
  const phone = createPhoneStep(texts, options.phone);
  const code = createCodeStep(options);
  let challenge = '';
  const smsReader = createSmsReader((received) => {
    code.input.value = received;
    code.form.requestSubmit();
  });

  function showPhone(): void {
    smsReader.stop();
    if (isInDialog) void onToken('');
    codes.close();
    showStep(phone, code);
  }

  function showCode(opened: SentCode, isTooSoon = false): void {
    const sent = codes.open(opened);
    challenge = sent.challenge;
    phone.input.value = sent.typed;
    code.showSent(sent, isTooSoon);
    showStep(code, phone);
    void smsReader.read();
  }

  async function send(replaces?: string): Promise<void> {
    const typed = phone.input.value;
    const reply = await calls.send(typed, replaces);
    showCode({ ...reply, typed, sentAtMs: Date.now(), isBySms: replaces !== undefined });
  }

  async function verify(): Promise<void> {
    if (code.input.readOnly) return;
    const { token } = await calls.verify(challenge, code.input.value);
    smsReader.stop();
    codes.remove(challenge);
    if (isInDialog) {
      code.setVerified(true);
      return void onToken(token);
    }
    await onToken(token);
    // The page navigates now. The form stays busy until then, so that the used code is not submitted again.
    await new Promise((resolve) => setTimeout(resolve, NAVIGATION_TIMEOUT_MS));
    showPhone();
    phone.showError(texts.notFinishedNewCode);
  }

  phone.onSubmit(async () => {
    // If the server would not send another code yet, the form shows the one that was sent before.
    const waiting = codes.findWaiting(phone.input.value);
    return waiting ? showCode(waiting, true) : send();
  });
  code.onSubmit(verify);
  code.changeNumber.addEventListener('click', () => void code.run(async () => showPhone()));
  code.resend.addEventListener('click', async () => {
    const error = await code.run(send);
    if (error) code.startCountdown(Date.now() + error.waitSeconds * SECOND_MS);
  });
  code.sms.addEventListener('click', () => void code.run(() => send(challenge)));
  // The code step survives a reload, also one after the browser has discarded the tab.
  const open = isInDialog ? undefined : codes.findOpen();
  if (open) showCode(open);
  return createElement('div', { class: 'otp' }, [phone.form, code.form]);
}

function showStep(step: Step, other: Step): void {
  other.form.hidden = true;
  step.form.hidden = false;
  step.focus();
  // When the form is created with the code step open, the caller has not inserted it into the page yet.
  setTimeout(step.focus);
}

/** Reads the code from the SMS with WebOTP, which only Chrome on Android offers. */
function createSmsReader(onCode: (code: string) => void) {
  let reading = new AbortController();
  const stop = () => reading.abort();
  const read = async () => {
    stop();
    reading = new AbortController();
    if (!('OTPCredential' in window)) return;
    const request = { otp: { transport: ['sms'] }, signal: reading.signal };
    const credential = await navigator.credentials.get(request).catch(() => null);
    if (credential && 'code' in credential) onCode(String(credential.code));
  };
  return { read, stop };
}
