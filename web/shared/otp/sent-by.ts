import { createElement } from '#web/shared/ui/create-element.ts';

import { codeTexts } from './texts.ts';

/** Nothing where codes are sent in one way. */
export function sentByLine(sentBy = ''): HTMLElement[] {
  const { sentByWhatsapp: whatsapp, sentByWhatsappOrSms: either, sentBySms: sms } = codeTexts();
  const text = new Map(Object.entries({ whatsapp, either, sms })).get(sentBy);
  return text ? [createElement('span', { class: 'otp-sent-by' }, [text])] : [];
}

/** `form` has the button only where there is another way. */
export function createSmsButton(form: HTMLElement) {
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
