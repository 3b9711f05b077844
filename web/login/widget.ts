import type { ProviderCalls } from './calls.ts';
import { resendCountdown } from './countdown.ts';
import { element } from './element.ts';
import { drawCodeStep, drawPhoneStep } from './steps.ts';
import { codeFromMessage } from './web-otp.ts';

/** How long the page may take to leave after it got its token. */
const LEAVE_WITHIN_MS = 10_000;
const MINUTE_SECONDS = 60;

/** Draws the widget: first the phone, then the code; the callback gets the token. */
export function drawWidget(calls: ProviderCalls, callback: (token: string) => unknown) {
  const phone = drawPhoneStep();
  const code = drawCodeStep();
  const countdown = resendCountdown(code.resend);
  let challenge = '';
  let listening = new AbortController();

  function showPhone(): void {
    listening.abort();
    code.form.hidden = true;
    phone.form.hidden = false;
    phone.text.focus();
  }

  async function send(): Promise<void> {
    const sent = await calls.send(phone.text.value);
    challenge = sent.challenge;
    countdown.start(sent.resendAfterSeconds);
    const minutes = Math.round(sent.lifeSeconds / MINUTE_SECONDS);
    code.hintLine.textContent = `Sent to ${sent.phone}. Good for ${minutes} minutes.`;
    code.text.value = '';
    code.complain('');
    phone.form.hidden = true;
    code.form.hidden = false;
    code.text.focus();
    void listen();
  }

  /** Takes the code out of the message itself, where the browser can. */
  async function listen(): Promise<void> {
    listening.abort();
    listening = new AbortController();
    const received = await codeFromMessage(listening.signal);
    if (received === null) return;
    code.text.value = received;
    await code.run(verify);
  }

  async function verify(): Promise<void> {
    const { token } = await calls.verify(challenge, code.text.value);
    listening.abort();
    await callback(token);
    // The page leaves now; the form stays busy meanwhile, so that nothing is sent twice.
    await new Promise((resolve) => setTimeout(resolve, LEAVE_WITHIN_MS));
    showPhone();
    phone.complain('Signing in did not finish. Ask for a new code.');
  }

  async function resendCode(): Promise<void> {
    if (code.isBusy()) return;
    code.resend.disabled = true;
    const refusal = await code.run(send);
    if (refusal) countdown.start(refusal.waitSeconds);
  }

  onSubmit(phone, 'Type your phone number.', send);
  onSubmit(code, 'Type the code from the message.', verify);
  code.resend.addEventListener('click', () => void resendCode());
  code.change.addEventListener('click', () => {
    if (!code.isBusy()) showPhone();
  });
  return element('div', { class: 'otp' }, [phone.form, code.form]);
}

type Step = ReturnType<typeof drawPhoneStep>;

function onSubmit(step: Step, whenEmpty: string, work: () => Promise<void>): void {
  step.form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (step.isBusy()) return;
    if (step.text.value.trim() === '') step.complain(whenEmpty);
    else void step.run(work);
  });
}
