import { sendFailure, sendJson } from './fake-failures.ts';
import type { Handler } from './fake-services.ts';

export const OTPLESS_CREDENTIALS = { clientId: 'client-1', clientSecret: 'client-secret-1' };

/** 'good.<digits>.<anything>' verifies that phone; another token is invalid. */
export const validateOtpless: Handler = ({ headers, body }, response) => {
  const isKnown =
    headers['clientid'] === OTPLESS_CREDENTIALS.clientId &&
    headers['clientsecret'] === OTPLESS_CREDENTIALS.clientSecret;
  if (!isKnown) return sendJson(response, 401, { message: 'Authorization error' });
  const { token } = JSON.parse(body) as { token: string };
  const [name = ''] = token.split('.');
  if (sendFailure(name, response)) return;
  const [, digits] = /^good\.(\d+)\./.exec(token) ?? [];
  if (!digits) return sendJson(response, 400, { errorCode: '7114', message: 'Invalid token' });
  const identity = { identityType: 'MOBILE', identityValue: digits, verified: true };
  sendJson(response, 200, { status: 'SUCCESS', userId: 'u1', identities: [identity] });
};

/** Renders its form into the container; calls `window.otpless` with the token. */
export const OTPLESS_SCRIPT = `
const { appid } = document.getElementById('otpless-sdk').dataset;
if (!appid) throw new Error('otpless-sdk needs data-appid');
if (typeof window.otpless !== 'function') throw new Error('window.otpless is not there');
const container = document.getElementById('otpless-login-page');
const form = document.createElement('form');
form.innerHTML = '<label>Mobile number <input name="mobile"></label><button>Continue with OTPless</button>';
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const base = document.getElementById('otpless-sdk').src.replace('/v4/auth.js', '');
  const response = await fetch(base + '/start', { method: 'POST', body: form.mobile.value });
  const { token } = await response.json();
  window.otpless({ status: 'SUCCESS', token, identities: [] });
});
container.append(form);
`;
