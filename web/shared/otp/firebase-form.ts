import { toAsciiDigits } from '#domain/digit.ts';
import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { fillText } from '#domain/language/plural.ts';
import { storeSentCode } from '#web/shared/otp/sent-code.ts';
import { RequestError } from '#web/shared/otp/form-step.ts';
import { createElement } from '#web/shared/ui/create-element.ts';
import { cleanCode, createPhoneAndCode } from '#web/shared/otp/phone-and-code.ts';

import { codeTexts } from './texts.ts';
import type { PhoneSignIn } from './firebase-phone.ts';
import type { OnToken } from './script-widgets.ts';

const RESEND_AFTER_SECONDS = 30;
/** Across a reload. Firebase decides how long a code is valid. */
const CODE_LIFE_SECONDS = (10 * MINUTE_MS) / SECOND_MS;

export function createFirebaseForm(signIn: PhoneSignIn, onToken: OnToken): HTMLElement {
  // reCAPTCHA renders into an element only once, so each code gets a new one.
  const captchaContainer = createElement('div', {});
  let verificationId = '';
  const { phone, code, send, restore } = createPhoneAndCode({
    send: sendTo,
    codeHint: ({ phone: number }) => fillText(codeTexts().sentTo, { phone: number }),
    onSent: (sent) => {
      verificationId = sent.challenge;
    },
  });

  async function sendTo(typed: string) {
    const number = internationalPhone(typed);
    if (number === null) {
      throw new RequestError(codeTexts().phoneIncomplete);
    }
    const captcha = createElement('div', {});
    captchaContainer.replaceChildren(captcha);
    return {
      challenge: await signIn.send(number, captcha),
      phone: number,
      resendAfterSeconds: RESEND_AFTER_SECONDS,
      lifeSeconds: CODE_LIFE_SECONDS,
    };
  }

  async function verify(): Promise<void> {
    const token = await signIn.confirm(verificationId, cleanCode(code.textInput.value));
    storeSentCode(null);
    onToken(token);
  }

  code.onSubmit(verify);
  code.resend.addEventListener('click', () => void code.run(() => send()));
  restore();
  return createElement('div', { class: 'otp' }, [phone.form, code.form, captchaContainer]);
}

const SEPARATORS = /[\s\p{Cf}\p{Pd}−().·/]/gu;
const INTERNATIONAL = /^\+[1-9]\d{7,14}$/;
/** 9876543210, 09876543210, 919876543210. */
const INDIAN_MOBILE = /^(?:0|91)?([6-9]\d{9})$/;

/** E.164; null if it is no phone. The provider makes the final decision. */
export function internationalPhone(typed: string): string | null {
  const digits = toAsciiDigits(typed)
    .replace(/[\uff0b\ufe62]/g, '+')
    .replace(SEPARATORS, '');
  if (INTERNATIONAL.test(digits)) return digits;
  const [, mobile] = INDIAN_MOBILE.exec(digits) ?? [];
  return mobile ? `+91${mobile}` : null;
}
