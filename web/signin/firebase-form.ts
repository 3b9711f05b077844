import { toAsciiDigits } from '#domain/digit.ts';
import { Refusal } from '#web/login/calls.ts';
import { resendCountdown } from '#web/login/countdown.ts';
import { element } from '#web/login/element.ts';
import { drawCodeStep, drawPhoneStep } from '#web/login/steps.ts';

import type { PhoneSignIn } from './firebase-phone.ts';
import type { GiveToken } from './provider.ts';
import { internationalPhone } from './typed-phone.ts';

const RESEND_AFTER_SECONDS = 30;

/** Our own form over Firebase's two calls: first the phone, then the code. */
export function drawFirebaseForm(signIn: PhoneSignIn, giveToken: GiveToken): HTMLElement {
  const phone = drawPhoneStep();
  const code = drawCodeStep();
  const countdown = resendCountdown(code.resend);
  // reCAPTCHA draws into an element once: each code gets a fresh one.
  const holders = element('div', {});

  function show(step: typeof phone): void {
    phone.form.hidden = step.form !== phone.form;
    code.form.hidden = step.form !== code.form;
    step.text.focus();
  }

  async function send(): Promise<void> {
    const number = internationalPhone(phone.text.value);
    if (number === null) {
      throw new Refusal('This is not a complete phone number. Check it and try again.');
    }
    const holder = element('div', {});
    holders.replaceChildren(holder);
    await signIn.send(number, holder);
    countdown.start(RESEND_AFTER_SECONDS);
    code.hintLine.textContent = `Sent to ${number}.`;
    code.text.value = '';
    code.complain('');
    show(code);
  }

  async function verify(): Promise<void> {
    const typed = toAsciiDigits(code.text.value).replace(/\s/g, '');
    giveToken(await signIn.confirm(typed));
  }

  onSubmit(phone, send);
  onSubmit(code, verify);
  code.resend.addEventListener('click', () => void code.run(send));
  code.change.addEventListener('click', () => {
    if (!code.isBusy()) show(phone);
  });
  return element('div', { class: 'otp' }, [phone.form, code.form, holders]);
}

function onSubmit(step: ReturnType<typeof drawPhoneStep>, work: () => Promise<void>): void {
  step.form.addEventListener('submit', (event) => {
    event.preventDefault();
    void step.run(work);
  });
}
