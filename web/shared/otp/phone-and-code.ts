import { SECOND_MS } from '#domain/duration.ts';
import { toAsciiDigits } from '#domain/digit.ts';
import { pluralText } from '#domain/language/plural.ts';
import { TYPED_CODE_LENGTH_MAX, TYPED_PHONE_LENGTH_MAX } from '#domain/signin.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { createStep } from './form-step.ts';
import type { Step } from './form-step.ts';
import { createSmsButton, sentByLine } from './sent-by.ts';
import { sentHint } from './sent-code.ts';
import type { SentCode } from './sent-code.ts';
import { codeTexts, pageLanguage } from './texts.ts';

interface PhoneTexts {
  readonly phoneHint: string | undefined;
  /** Drawn before a number that has no country code of its own. */
  readonly callingCode: string | undefined;
}

export function createPhoneStep({ phoneHint, callingCode = '' }: PhoneTexts) {
  const texts = codeTexts();
  const step = createStep({
    name: 'phone',
    label: texts.phone,
    hint: phoneHint ?? texts.phoneHint,
    emptyError: texts.phoneEmpty,
    submitLabel: texts.sendCode,
    busyLabel: texts.sending,
    input: {
      type: 'tel',
      inputmode: 'tel',
      autocomplete: 'tel',
      autocapitalize: 'none',
      maxlength: String(TYPED_PHONE_LENGTH_MAX),
    },
  });
  const { textInput } = step;
  const code = createElement('span', { class: 'otp-calling-code', id: 'otp-calling-code' });
  const box = createElement('div', { class: 'otp-phone' });
  textInput.before(box);
  box.append(textInput, code);
  textInput.setAttribute(
    'aria-describedby',
    `${code.id} ${textInput.getAttribute('aria-describedby')}`,
  );
  const update = () => {
    const hasOwn = hasCountryCode(textInput.value, callingCode);
    code.textContent = hasOwn ? '' : callingCode;
    box.style.setProperty('--calling-code-length', String(code.textContent.length));
  };
  // Not every browser sends 'input' for a number that it fills in.
  for (const type of ['input', 'change']) textInput.addEventListener(type, update);
  update();
  const setText = (text: string) => {
    textInput.value = text;
    update();
  };
  return { ...step, setText };
}

/** Longer than a number without a country code. */
const INTERNATIONAL_DIGITS_MIN = 11;

/** Also without a plus, as in '919876543210'. */
function hasCountryCode(typed: string, callingCode: string): boolean {
  const number = toAsciiDigits(typed)
    .replace(/[\uff0b\ufe62]/g, '+')
    .replace(/[^0-9+]/g, '');
  return (
    /^(\+|00)/.test(number) ||
    (number.length >= INTERNATIONAL_DIGITS_MIN && `+${number}`.startsWith(callingCode))
  );
}

export function createCodeStep() {
  const texts = codeTexts();
  const step = createStep({
    name: 'code',
    title: texts.enterCode,
    label: texts.code,
    hint: '',
    emptyError: texts.codeEmpty,
    submitLabel: texts.verify,
    busyLabel: texts.verifying,
    input: {
      type: 'text',
      inputmode: 'numeric',
      autocomplete: 'one-time-code',
      maxlength: String(TYPED_CODE_LENGTH_MAX),
      autocapitalize: 'none',
      spellcheck: 'false',
    },
  });
  const resend = createElement('button', { class: 'otp-link', type: 'button' }, [texts.resend]);
  const change = createElement('button', { class: 'otp-link', type: 'button' }, [
    texts.changeNumber,
  ]);
  step.form.append(createElement('div', { class: 'otp-links' }, [resend, change]));
  step.form.hidden = true;
  const { sms, showSms } = createSmsButton(step.form);
  const countdown = createCountdown(resend);
  const submitAt = submitWhenComplete(step);
  /** `sentBy` is for a code that is sent in one way. */
  function showSent(sent: SentCode, sentBy: string | undefined): void {
    countdown.startUntil(sent.resendAt);
    step.hintLine.textContent = sentHint(sent);
    step.hintLine.append(...sentByLine(sent.sentBy ?? sentBy));
    showSms(sent.smsAt);
    step.clear();
    submitAt(sent.codeLength);
  }
  return { ...step, resend, change, sms, countdown, showSent };
}

/** A code that is pasted or filled in can arrive in several events. */
const SUBMIT_DELAY_MS = SECOND_MS / 2;

/** So soon after the automatic submit a press was meant for the same attempt. */
const LATE_PRESS_MS = 2 * SECOND_MS;

/**
 * Also a pasted code, with or without blanks. A late press does not send a wrong code again. Returns
 * what sets the length of a complete code.
 */
function submitWhenComplete({ form, textInput }: Step): (length: number) => void {
  let codeLength = 0;
  let timer = 0;
  let submitted = { code: '', at: 0 };
  textInput.addEventListener('input', () => {
    clearTimeout(timer);
    if (cleanCode(textInput.value).length !== codeLength) return;
    timer = window.setTimeout(() => {
      submitted = { code: textInput.value, at: Date.now() };
      form.requestSubmit();
    }, SUBMIT_DELAY_MS);
  });
  form.addEventListener('submit', (event) => {
    clearTimeout(timer);
    const isLatePress =
      event.submitter !== null &&
      textInput.value === submitted.code &&
      Date.now() - submitted.at < LATE_PRESS_MS;
    if (!isLatePress) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  return (length) => void (codeLength = length);
}

export function showStep(step: Step, other: Step): void {
  other.form.hidden = true;
  step.form.hidden = false;
  step.textInput.focus();
  // After a reload the form is not in the page yet.
  setTimeout(() => step.textInput.focus());
}

function cleanCode(typed: string): string {
  return toAsciiDigits(typed).replace(/[^0-9]/g, '');
}

function createCountdown(button: HTMLButtonElement) {
  let readyAt = 0;
  let timer = 0;

  function update(): void {
    const seconds = Math.ceil((readyAt - Date.now()) / SECOND_MS);
    const isReady = seconds <= 0;
    button.disabled = !isReady;
    const { resend, resendIn } = codeTexts();
    button.textContent = isReady ? resend : pluralText(pageLanguage(), resendIn, seconds);
    if (isReady) clearInterval(timer);
  }

  return {
    start(waitSeconds: number): void {
      this.startUntil(Date.now() + waitSeconds * SECOND_MS);
    },
    /** In milliseconds as of `Date.now()`. */
    startUntil(time: number): void {
      clearInterval(timer);
      readyAt = time;
      timer = window.setInterval(update, SECOND_MS);
      update();
    },
  };
}
