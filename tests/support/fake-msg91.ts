import { sendFailure, sendJson } from './fake-failures.ts';
import type { Handler } from './fake-services.ts';

export const MSG91_AUTH_KEY = 'auth-key-1';

/** As with the real service, a token is valid once. */
export function verifyMsg91(): Handler {
  const used = new Set<string>();
  return ({ body }, response) => {
    const given = JSON.parse(body) as { authkey: string; 'access-token': string };
    const fail = (message: string, code: string | number) =>
      sendJson(response, 200, { type: 'error', message, code });
    if (given.authkey !== MSG91_AUTH_KEY) return fail('AuthenticationFailure', '201');
    const token = given['access-token'];
    if (sendFailure(token.split('.')[0] ?? '', response)) return;
    if (used.has(token)) return fail('access-token already verified', 702);
    used.add(token);
    const [, digits] = /^good\.(\d+)\./.exec(token) ?? [];
    if (digits) return sendJson(response, 200, { type: 'success', message: digits });
    fail('invalid access-token', 701);
  };
}

/** Sends a text message; the last digit of the recipient's phone selects the reply. */
export const sendMsg91: Handler = ({ headers, body }, response) => {
  if (headers['authkey'] !== MSG91_AUTH_KEY) {
    return sendJson(response, 200, { type: 'error', message: 'AuthenticationFailure' });
  }
  const { recipients } = JSON.parse(body) as { recipients: { mobiles: string }[] };
  if (sendFailure(replyOfPhone(recipients[0]?.mobiles ?? ''), response)) return;
  sendJson(response, 200, { type: 'success', message: '3763706c' });
};

const REPLY_OF_DIGIT = ['good', 'broken', 'hang', 'html', 'huge', 'redirect'];

/** The name of a gateway's reply by the phone's last digit: 0 is good. */
export function replyOfPhone(phone: string): string {
  return REPLY_OF_DIGIT[Number(phone.at(-1))] ?? 'good';
}

export const MSG91_SCRIPT = `
const base = document.currentScript.src.replace('/otp-provider.js', '');
window.initSendOTP = ({ widgetId, tokenAuth, success, failure }) => {
  if (!widgetId || !tokenAuth) throw new Error('initSendOTP needs widgetId and tokenAuth');
  const form = document.createElement('form');
  form.innerHTML = '<label>Mobile number <input name="mobile"></label>' +
    '<button>Verify with MSG91</button><button type="button" name="close">Close widget</button>';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const response = await fetch(base + '/start', { method: 'POST', body: form.mobile.value });
    const { token } = await response.json();
    form.remove();
    success({ type: 'success', message: token });
  });
  form.close.addEventListener('click', () => {
    form.remove();
    failure({ type: 'error', message: 'closed', code: 'CLOSED' });
  });
  document.body.append(form);
};
`;
