import type { Reply } from '#contract/endpoint.ts';
import type { sendCode } from '#contract/signin.ts';
import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { fillText, pluralText } from '#domain/language/plural.ts';
import { CODE_LENGTH, TYPED_CODE_LENGTH_MAX, readCode } from '#domain/signin.ts';
import { cleanPhone } from '#domain/typed-phone.ts';
import { readItem, writeItem } from '#web/shared/http/browser-storage.ts';
import { parseJson } from '#web/shared/http/request.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { createStep } from './step.ts';
import type { PhoneField, Step } from './step.ts';

type Texts = Catalogue['code'];

export interface CodeStepOptions {
  readonly texts: Texts;
  readonly phone: PhoneField;
  /** Whether the form is part of a dialog, which submits the token together with something else. */
  readonly isInDialog?: boolean;
  /** This is 'whatsapp' if the service sends every code by WhatsApp. */
  readonly sentBy?: string | undefined;
}

/** Returns the language of the page. The service's replies to its calls use the same one. */
export const pageLanguage = (): string => document.documentElement.lang || 'en';

export function createCodeStep({ texts, phone, sentBy, isInDialog = false }: CodeStepOptions) {
  const step = createStep({
    name: 'code',
    label: texts.code,
    emptyError: texts.codeEmpty,
    submitLabel: texts.verify,
    busyLabel: texts.verifying,
    failedText: texts.ourFault,
    attributes: {
      inputmode: 'numeric',
      autocomplete: 'one-time-code',
      maxlength: String(TYPED_CODE_LENGTH_MAX),
      spellcheck: 'false',
    },
  });
  if (isInDialog) step.button.remove();
  else step.form.prepend(createElement('p', { class: 'otp-title' }, [texts.enterCode]));
  const { resend, sms, waitLine, startCountdown } = createCountdown(texts);
  const changeNumber = createLink(texts.changeNumber);
  const links = phone.label === undefined ? [resend] : [resend, changeNumber];
  step.form.append(createElement('div', { class: 'otp-links' }, links), sms);
  step.form.hidden = true;
  const setCodeLength = submitWhenComplete(step);
  const setVerified = (isVerified: boolean) => {
    step.input.readOnly = isVerified;
    resend.hidden = isVerified;
    if (isVerified) step.hintLine.textContent = 'This number is verified.';
  };
  /** Shows the code that was sent. `isTooSoon` means that another one was requested too early. */
  function showSent(sent: SentCode, isTooSoon: boolean): void {
    waitLine.hidden = !isTooSoon;
    sms.hidden = sent.nextAfterSeconds === undefined;
    sms.textContent = sent.sentBy === 'whatsapp-email' ? texts.sendByEmail : texts.sendBySms;
    startCountdown(
      timeAfter(sent, sent.resendAfterSeconds),
      timeAfter(sent, sent.nextAfterSeconds ?? 0),
    );
    const notes = [sent.isAgain ? texts.newestCode : '', sentByText(texts, sent, sentBy)];
    const noteLines = notes.filter((note) => note !== '').map(createLine);
    step.hintLine.replaceChildren(sentText(texts, sent), ...noteLines, waitLine);
    step.input.value = '';
    step.showError('');
    setVerified(false);
    setCodeLength(sent.codeLength ?? CODE_LENGTH);
  }
  return { ...step, resend, changeNumber, sms, startCountdown, showSent, setVerified };
}

const createLink = (text: string) =>
  createElement('button', { class: 'otp-link', type: 'button' }, [text]);
const createLine = (text: string) => createElement('span', { class: 'otp-line' }, [text]);

function sentText(texts: Texts, sent: SentCode): string {
  const minutes = Math.round((sent.lifeSeconds * SECOND_MS) / MINUTE_MS);
  const valid = pluralText(pageLanguage(), texts.validFor, minutes);
  if (sent.sentBy === 'email') return `${texts.emailedIfRegistered} ${valid}`;
  const text = sent.mayArrive ? texts.mayArrive : texts.sentTo;
  return `${fillText(text, { phone: sent.phoneText ?? sent.phone })} ${valid}`;
}

/** Returns how the code was sent, or '' if this service sends codes by SMS alone. */
function sentByText(texts: Texts, sent: SentCode, sentBy: string | undefined): string {
  if (sent.sentBy === 'email') return '';
  if (sent.isBySms) return texts.sentBySms;
  if (sent.sentBy === 'whatsapp-email') return texts.sentByWhatsappOrEmail;
  if (sent.sentBy === 'email-sms') return texts.sentByEmailOrSms;
  if (sent.nextAfterSeconds !== undefined) return texts.sentByWhatsappOrSms;
  return sentBy === 'whatsapp' ? texts.sentByWhatsapp : '';
}

/** A code that is pasted or filled in can arrive in several events. */
const SUBMIT_DELAY_MS = SECOND_MS / 2;
/** A press on the button within this time after the automatic submit belongs to the same attempt. */
const LATE_PRESS_MS = 2 * SECOND_MS;

/** Matches a pasted message, but not a typed code. */
const MESSAGE = /[^\p{Nd}\s]/u;

/**
 * Submits the form as soon as the code is complete, and reduces a pasted message to its code. Returns a
 * function that sets the length of a complete code.
 */
function submitWhenComplete({ form, input }: Step): (length: number) => void {
  let codeLength = 0;
  let timer = 0;
  let submitted = { code: '', at: 0 };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    const code = readCode(input.value, codeLength);
    if (code === null) return;
    if (MESSAGE.test(input.value)) input.value = code;
    timer = window.setTimeout(() => {
      submitted = { code: input.value, at: Date.now() };
      form.requestSubmit();
    }, SUBMIT_DELAY_MS);
  });
  form.addEventListener('submit', (event) => {
    clearTimeout(timer);
    const isLate = input.value === submitted.code && Date.now() - submitted.at < LATE_PRESS_MS;
    if (event.submitter === null || !isLate) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  return (length) => void (codeLength = length);
}

function createCountdown(texts: Texts) {
  const resend = createLink(texts.resend);
  const sms = createLink(texts.sendBySms);
  const waitLine = createLine('');
  let resendAt = 0;
  let smsAt = 0;
  let timer = 0;

  function update(): void {
    const seconds = Math.ceil((resendAt - Date.now()) / SECOND_MS);
    const isReady = seconds <= 0;
    resend.disabled = !isReady;
    resend.textContent = isReady
      ? texts.resend
      : pluralText(pageLanguage(), texts.resendIn, seconds);
    waitLine.textContent = isReady ? '' : pluralText(pageLanguage(), texts.waitForCode, seconds);
    const isSmsReady = Date.now() >= smsAt;
    sms.classList.toggle('otp-not-yet', !isSmsReady);
    if (isReady && isSmsReady) clearInterval(timer);
  }

  /**
   * Sets the times, on the clock of `Date.now()`, from which another code can be requested and the code
   * can be sent by SMS instead.
   */
  function startCountdown(resendTime: number, smsTime = smsAt): void {
    clearInterval(timer);
    resendAt = resendTime;
    smsAt = smsTime;
    timer = window.setInterval(update, SECOND_MS);
    update();
  }
  return { resend, sms, waitLine, startCountdown };
}

export interface SentCode extends Reply<typeof sendCode> {
  /** The phone as the user typed it. */
  readonly typed: string;
  readonly sentAtMs: number;
  /** Whether the code was sent by SMS to replace an earlier one. */
  readonly isBySms: boolean;
  /** Whether an earlier code for this phone may still arrive. */
  readonly isAgain?: boolean;
  /** Whether the page shows the field for this code, also after a reload. */
  readonly isOpen?: boolean;
}

/** Returns the time in ms that is this many seconds after the code was sent. */
const timeAfter = ({ sentAtMs }: SentCode, seconds: number): number =>
  sentAtMs + seconds * SECOND_MS;

/** Remembers the valid codes of this tab for a reload, and for another press of 'Send code'. */
export function createSentCodes(key: string) {
  function read(): readonly SentCode[] {
    const stored = parseJson(readItem(key, 'sessionStorage') ?? '[]');
    const codes = Array.isArray(stored) ? (stored as readonly SentCode[]) : [];
    return codes.filter((code) => Date.now() < timeAfter(code, code.lifeSeconds));
  }
  const write = (codes: readonly SentCode[]) =>
    writeItem(key, JSON.stringify(codes), 'sessionStorage');
  const closed = () => read().map((code) => ({ ...code, isOpen: false }));
  return {
    /** Adds a code, which replaces an earlier code for the same phone. */
    open(sent: SentCode): SentCode {
      const others = closed().filter(({ phone }) => phone !== sent.phone);
      const opened = { isAgain: others.length < read().length, ...sent, isOpen: true };
      write([...others, opened]);
      return opened;
    },
    close: () => write(closed()),
    remove: (challenge: string) => write(read().filter((code) => code.challenge !== challenge)),
    findOpen: () => read().find(({ isOpen }) => isOpen),
    /** Returns the code that was sent to the phone if another one cannot be sent yet. */
    findWaiting: (typed: string) =>
      read().find(
        (code) => Date.now() < timeAfter(code, code.resendAfterSeconds) && isPhoneOf(code, typed),
      ),
  };
}

const NATIONAL_DIGITS_MIN = 10;

/** Returns whether the typed phone is that of the code, however it is spelled and with or without country code. */
function isPhoneOf(code: SentCode, typed: string): boolean {
  const phone = cleanPhone(typed).replace(/^00/, '+').replace(/^0/, '');
  const isNational = /^\d+$/.test(phone) && phone.length >= NATIONAL_DIGITS_MIN;
  return typed === code.typed || phone === code.phone || (isNational && code.phone.endsWith(phone));
}
