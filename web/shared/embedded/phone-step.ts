import { toAsciiDigits } from '#domain/digit.ts';
import { TYPED_PHONE_LENGTH_MAX } from '#domain/signin.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { codeTexts, createStep } from './form-step.ts';

/** In a dialog: the login phone, which has no label, or the field for a new one. */
export interface DialogPhone {
  readonly label?: string;
  readonly hint: string;
}

export interface PhoneTexts {
  readonly phone?: DialogPhone;
  readonly phoneHint?: string | undefined;
  /** Drawn before a number that has no country code of its own. */
  readonly callingCode?: string | undefined;
}

export function createPhoneStep({ phone, phoneHint, callingCode = '' }: PhoneTexts) {
  const texts = codeTexts();
  const { label, hint } = phone ?? { label: texts.phone, hint: phoneHint ?? texts.phoneHint };
  const step = createStep({
    name: 'phone',
    label,
    hint,
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
  const id = `${textInput.id}-country`;
  const code = createElement('span', { class: 'otp-calling-code', id });
  const box = createElement('div', { class: 'otp-phone' });
  textInput.before(box);
  box.append(textInput, code);
  textInput.setAttribute('aria-describedby', `${id} ${textInput.getAttribute('aria-describedby')}`);
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

/** Recognises a country code without a plus too, as in '919876543210'. */
function hasCountryCode(typed: string, callingCode: string): boolean {
  const number = toAsciiDigits(typed)
    .replace(/[\uff0b\ufe62]/g, '+')
    .replace(/[^0-9+]/g, '');
  return (
    /^(\+|00)/.test(number) ||
    (number.length >= INTERNATIONAL_DIGITS_MIN && `+${number}`.startsWith(callingCode))
  );
}
