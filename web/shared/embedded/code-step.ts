import { SECOND_MS } from '#domain/duration.ts';
import { toAsciiDigits } from '#domain/digit.ts';
import { pluralText } from '#domain/language/plural.ts';
import { TYPED_CODE_LENGTH_MAX } from '#domain/signin.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { codeTexts, createStep, pageLanguage } from './form-step.ts';
import type { Step } from './form-step.ts';
import type { DialogPhone } from './phone-step.ts';
import { sentHint } from './sent-code.ts';
import type { SentCode } from './sent-code.ts';

/** In a dialog without a title and 'Verify'. */
export function createCodeStep(phone: DialogPhone | undefined) {
  const isInDialog = phone !== undefined;
  const texts = codeTexts();
  const step = createStep({
    name: 'code',
    title: isInDialog ? undefined : texts.enterCode,
    label: texts.code,
    hint: '',
    emptyError: texts.codeEmpty,
    submitLabel: isInDialog ? undefined : texts.verify,
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
  const hasOneNumber = isInDialog && phone.label === undefined;
  const links = hasOneNumber ? [resend] : [resend, change];
  step.form.append(createElement('div', { class: 'otp-links' }, links));
  step.form.hidden = true;
  const { sms, showSms } = createSmsButton(step.form);
  const waitUntil = createCountdown(resend);
  const submitAt = submitWhenComplete(step);
  const setVerified = (isVerified: boolean) => {
    step.textInput.readOnly = isVerified;
    resend.hidden = isVerified;
    if (isVerified) step.hintLine.textContent = 'This number is verified.';
  };
  /** `sentBy` is for a code that is sent in one way. */
  function showSent(sent: SentCode, sentBy: string | undefined): void {
    waitUntil(sent.resendAt);
    step.hintLine.textContent = sentHint(sent);
    step.hintLine.append(...sentByLine(sent.sentBy ?? sentBy));
    showSms(sent.smsAt);
    step.clear();
    setVerified(false);
    submitAt(sent.codeLength);
  }
  return { ...step, resend, change, sms, waitUntil, showSent, setVerified };
}

/** A code that is pasted or filled in can arrive in several events. */
const SUBMIT_DELAY_MS = SECOND_MS / 2;
/** So soon after the automatic submit a press was meant for the same attempt. */
const LATE_PRESS_MS = 2 * SECOND_MS;

/** Reads a pasted code too, with or without blanks. Returns what sets the length of a complete code. */
function submitWhenComplete({ form, textInput }: Step): (length: number) => void {
  let codeLength = 0;
  let timer = 0;
  let submitted = { code: '', at: 0 };
  textInput.addEventListener('input', () => {
    clearTimeout(timer);
    if (toAsciiDigits(textInput.value).replace(/[^0-9]/g, '').length !== codeLength) return;
    timer = window.setTimeout(() => {
      submitted = { code: textInput.value, at: Date.now() };
      form.requestSubmit();
    }, SUBMIT_DELAY_MS);
  });
  form.addEventListener('submit', (event) => {
    clearTimeout(timer);
    const isLate = textInput.value === submitted.code && Date.now() - submitted.at < LATE_PRESS_MS;
    if (event.submitter === null || !isLate) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  return (length) => void (codeLength = length);
}

/** Returns what disables the button until a time in milliseconds as of `Date.now()`. */
function createCountdown(button: HTMLButtonElement): (time: number) => void {
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

  return (time) => {
    clearInterval(timer);
    readyAt = time;
    timer = window.setInterval(update, SECOND_MS);
    update();
  };
}

/** Nothing where codes are sent in one way. */
function sentByLine(sentBy = ''): HTMLElement[] {
  const { sentByWhatsapp: whatsapp, sentByWhatsappOrSms: either, sentBySms: sms } = codeTexts();
  const text = ({ whatsapp, either, sms } as Record<string, string>)[sentBy];
  return text ? [createElement('span', { class: 'otp-sent-by' }, [text])] : [];
}

/** `form` has the button only where there is another way. */
function createSmsButton(form: HTMLElement) {
  const sms = createElement('button', { class: 'otp-link otp-sms', type: 'button' }, [
    codeTexts().sendBySms,
  ]);
  let timer = 0;
  /** Shows it at a time as of `Date.now()`; without a time never. */
  function showSms(time: number | undefined): void {
    clearTimeout(timer);
    sms.remove();
    if (time === undefined) return;
    sms.classList.add('otp-not-yet');
    form.append(sms);
    const show = () => sms.classList.remove('otp-not-yet');
    timer = window.setTimeout(show, Math.max(0, time - Date.now()));
  }
  return { sms, showSms };
}
