import { createElement } from '#web/ui/create-element.ts';

const SENT_BY: Readonly<Record<string, string>> = {
  whatsapp: 'Sent by WhatsApp',
  either: 'Sent by WhatsApp or SMS',
  sms: 'Sent by SMS',
};

/** Nothing where codes are sent in one way. */
export function sentByLine(sentBy = ''): HTMLElement[] {
  const text = SENT_BY[sentBy];
  return text ? [createElement('span', { class: 'otp-sent-by' }, [text])] : [];
}

/** `form` has the button only where there is another way. */
export function createSmsButton(form: HTMLElement) {
  const sms = createElement('button', { class: 'otp-link otp-sms', type: 'button' }, [
    'Send by SMS',
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
