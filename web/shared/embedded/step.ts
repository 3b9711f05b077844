import type { Catalogue } from '#domain/language/catalogue.ts';
import { TYPED_PHONE_LENGTH_MAX } from '#domain/signin.ts';
import { plainPhone } from '#domain/typed-phone.ts';
import { RequestError } from '#web/shared/http/request.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

interface StepOptions {
  readonly name: 'phone' | 'code';
  /** The label of the input. A step without a label has no input. */
  readonly label: string | undefined;
  readonly emptyError: string;
  readonly submitLabel: string;
  /** Screen readers announce this while a request is pending. */
  readonly busyLabel: string;
  /** The message of an error that the service did not send, such as a reply of another shape. */
  readonly failedText: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export type Step = ReturnType<typeof createStep>;

export function createStep(options: StepOptions) {
  const { form, input, hintLine, errorLine, button, status } = createElements(options);
  const { name, label, emptyError, busyLabel, failedText } = options;
  let isBusy = false;

  function setBusy(value: boolean): void {
    isBusy = value;
    form.setAttribute('aria-busy', String(value));
    status.textContent = value ? busyLabel : '';
  }

  /** Shows the message and focuses the input; '' removes the error. */
  function showError(message: string): void {
    errorLine.textContent = message;
    input.setAttribute('aria-invalid', String(message !== ''));
    if (message === '') return;
    input.focus();
    // People correct a wrong phone number, but type a wrong code again from the start.
    if (name === 'code') input.select();
  }

  /** Runs a request unless another one is pending. Shows its error and returns it. */
  async function run(request: () => Promise<void>): Promise<RequestError | null> {
    if (isBusy) return null;
    setBusy(true);
    showError('');
    try {
      await request();
      return null;
    } catch (cause) {
      const isRequestError = cause instanceof RequestError;
      showError(isRequestError ? cause.message : failedText);
      if (!isRequestError) throw cause;
      return cause;
    } finally {
      setBusy(false);
    }
  }

  function onSubmit(request: () => Promise<void>): void {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (isBusy) return;
      if (label !== undefined && input.value.trim() === '') showError(emptyError);
      else void run(request);
    });
  }
  const focus = () => (label === undefined ? button : input).focus();
  return { form, input, hintLine, button, showError, focus, onSubmit, run };
}

/** The count makes ids unique, because a dialog can have two forms. */
let stepCount = 0;

function createElements({ name, label, submitLabel, attributes }: StepOptions) {
  stepCount += 1;
  const id = `otp-${name}-${stepCount}`;
  const input = createElement('input', {
    id,
    name,
    class: 'otp-input',
    autocapitalize: 'none',
    'aria-describedby': `${id}-hint ${id}-error`,
    ...attributes,
  });
  const hintLine = createElement('p', { id: `${id}-hint`, class: 'otp-hint' });
  const errorLine = createElement('p', { id: `${id}-error`, class: 'otp-error', role: 'alert' });
  const button = createElement(
    'button',
    { class: 'ui-button ui-button-main otp-button', type: 'submit' },
    [submitLabel],
  );
  const status = createElement('output', { class: 'visually-hidden' });
  const form = createElement('form', { class: 'otp-step', novalidate: '' });
  if (label !== undefined) {
    form.append(createElement('label', { class: 'otp-label', for: id }, [label]), input);
  }
  form.append(createElement('div', { class: 'otp-note' }, [hintLine, errorLine]), button, status);
  return { form, input, hintLine, errorLine, button, status };
}

export interface PhoneField {
  /** A dialog omits the label for the login phone, which the owner does not type. */
  readonly label?: string;
  readonly hint: string;
  /** The input shows this country code before a number that was typed without one. */
  readonly callingCode?: string;
}

export function createPhoneStep(texts: Catalogue['code'], phone: PhoneField) {
  const { label, hint, callingCode = '' } = phone;
  const step = createStep({
    name: 'phone',
    label,
    emptyError: texts.phoneEmpty,
    submitLabel: texts.sendCode,
    busyLabel: texts.sending,
    failedText: texts.ourFault,
    attributes: {
      type: 'tel',
      inputmode: 'tel',
      autocomplete: 'tel',
      maxlength: String(TYPED_PHONE_LENGTH_MAX),
    },
  });
  const { input, hintLine } = step;
  hintLine.textContent = hint;
  const id = `${input.id}-country`;
  const countryCode = createElement('span', { class: 'otp-calling-code', id });
  const box = createElement('div', { class: 'otp-phone' });
  box.style.setProperty('--calling-code-length', String(callingCode.length));
  input.before(box);
  box.append(input, countryCode);
  input.setAttribute('aria-describedby', `${id} ${input.getAttribute('aria-describedby')}`);
  const update = () => {
    countryCode.textContent = hasCountryCode(input.value, callingCode) ? '' : callingCode;
  };
  // Some browsers fire no 'input' event when they fill in a number.
  for (const type of ['input', 'change', 'focus']) input.addEventListener(type, update);
  update();
  return step;
}

/** A number with this many digits is longer than any without a country code. */
const INTERNATIONAL_DIGITS_MIN = 11;

/** Also recognises a country code that was typed without a plus, as in '919876543210'. */
function hasCountryCode(typed: string, callingCode: string): boolean {
  const number = plainPhone(typed).replace(/[^0-9+]/g, '');
  return (
    /^(\+|00)/.test(number) ||
    (number.length >= INTERNATIONAL_DIGITS_MIN && `+${number}`.startsWith(callingCode))
  );
}
