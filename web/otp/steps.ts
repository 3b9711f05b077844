import { SECOND_MS } from '#domain/duration.ts';

import { createElement, createStep } from './step.ts';

/** The first step: the phone. */
export function createPhoneStep() {
  return createStep({
    name: 'phone',
    label: 'Phone number',
    hint: 'A number without a country code is taken as +91.',
    submitLabel: 'Send code',
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
    submitLabel: 'Verify',
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
  return { ...step, resend, change };
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
      clearInterval(timer);
      readyAt = Date.now() + waitSeconds * SECOND_MS;
      timer = window.setInterval(update, SECOND_MS);
      update();
    },
  };
}
