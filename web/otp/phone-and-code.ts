import { SECOND_MS } from '#domain/duration.ts';

import { toAsciiDigits } from '#domain/digit.ts';

import { createElement } from '#web/ui/create-element.ts';

import { createStep } from './form-step.ts';
import type { Step } from './form-step.ts';

const PHONE_HINT = 'A number without a country code is taken as +91.';

/** The first step: the phone. */
export function createPhoneStep(hint = PHONE_HINT) {
  return createStep({
    name: 'phone',
    label: 'Phone number',
    hint,
    emptyError: 'Type your phone number.',
    submitLabel: 'Send code',
    busyLabel: 'Sending the code',
    input: {
      type: 'tel',
      inputmode: 'tel',
      autocomplete: 'tel',
      autocapitalize: 'none',
      maxlength: '64',
    },
  });
}

/** The second step: the code, with buttons to resend it and to change the phone. */
export function createCodeStep() {
  const step = createStep({
    name: 'code',
    label: 'Code',
    hint: '',
    emptyError: 'Type the code from the message.',
    submitLabel: 'Verify',
    busyLabel: 'Verifying the code',
    input: {
      type: 'text',
      inputmode: 'numeric',
      autocomplete: 'one-time-code',
      maxlength: '32',
      autocapitalize: 'none',
      spellcheck: 'false',
    },
  });
  const resend = createElement('button', { class: 'otp-link', type: 'button' }, ['Resend code']);
  const change = createElement('button', { class: 'otp-link', type: 'button' }, ['Change number']);
  step.form.append(createElement('div', { class: 'otp-more' }, [resend, change]));
  step.form.hidden = true;
  submitWhenComplete(step);
  return { ...step, resend, change };
}

/** The number of digits of a one-time code, of the embedded provider (server/token.ts) and of Firebase. */
const CODE_DIGITS = 6;
/** A code that is pasted or filled in can arrive in several events. */
const SUBMIT_DELAY_MS = SECOND_MS / 2;

/** Submits the step soon after its input has a whole code, typed or pasted, with or without blanks. */
function submitWhenComplete({ form, textInput }: Step): void {
  let timer = 0;
  textInput.addEventListener('input', () => {
    clearTimeout(timer);
    if (cleanCode(textInput.value).length !== CODE_DIGITS) return;
    timer = window.setTimeout(() => form.requestSubmit(), SUBMIT_DELAY_MS);
  });
  form.addEventListener('submit', () => clearTimeout(timer));
}

/** Shows one of the two steps and focuses its input. */
export function showStep(step: Step, other: Step): void {
  other.form.hidden = true;
  step.form.hidden = false;
  step.textInput.focus();
  // After a reload the form is not in the page yet.
  setTimeout(() => step.textInput.focus());
}

/** Returns the ASCII digits of a typed code. */
export function cleanCode(typed: string): string {
  return toAsciiDigits(typed).replace(/[^0-9]/g, '');
}

/** Disables the resend button for some seconds and shows the remaining time on it. */
export function createCountdown(button: HTMLButtonElement) {
  let readyAt = 0;
  let timer = 0;

  function update(): void {
    const seconds = Math.ceil((readyAt - Date.now()) / SECOND_MS);
    const isReady = seconds <= 0;
    button.disabled = !isReady;
    button.textContent = isReady ? 'Resend code' : `Resend code in ${seconds} s`;
    if (isReady) clearInterval(timer);
  }

  return {
    start(waitSeconds: number): void {
      this.startUntil(Date.now() + waitSeconds * SECOND_MS);
    },
    /** Counts down to a time, in milliseconds as of `Date.now()`. */
    startUntil(time: number): void {
      clearInterval(timer);
      readyAt = time;
      timer = window.setInterval(update, SECOND_MS);
      update();
    },
  };
}
