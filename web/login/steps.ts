import { element } from './element.ts';
import { drawStep } from './step.ts';

/** The first step: whose phone. */
export function drawPhoneStep() {
  return drawStep({
    name: 'phone',
    label: 'Phone number',
    hint: 'A number without a country code is taken as +91.',
    submit: 'Send code',
    input: {
      type: 'tel',
      inputmode: 'tel',
      autocomplete: 'tel',
      autocapitalize: 'none',
      maxlength: '64',
    },
  });
}

/** The second step: the code that came, and the two ways round it. */
export function drawCodeStep() {
  const step = drawStep({
    name: 'code',
    label: 'Code',
    hint: '',
    submit: 'Verify',
    input: {
      type: 'text',
      inputmode: 'numeric',
      autocomplete: 'one-time-code',
      maxlength: '32',
      autocapitalize: 'none',
      spellcheck: 'false',
    },
  });
  const resend = element('button', { class: 'otp-link', type: 'button' }, ['Resend code']);
  const change = element('button', { class: 'otp-link', type: 'button' }, ['Change number']);
  step.form.append(element('div', { class: 'otp-more' }, [resend, change]));
  step.form.hidden = true;
  return { ...step, resend, change };
}
