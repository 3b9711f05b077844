import { sendFailure, sendJson } from './fake-failures.ts';
import type { Handler } from './fake-services.ts';

export const OTPLESS_CREDENTIALS = { clientId: 'client-1', clientSecret: 'client-secret-1' };

const mobile = { identityType: 'MOBILE', identityValue: '919876543210', verified: true };
const verification = (status: string, identities: unknown[]) => ({
  status,
  userId: 'u1',
  identities,
});

/** The reply by a token's first section; 'good.<digits>.<anything>' verifies that phone. */
const REPLIES: Readonly<Record<string, { status: number; content: unknown }>> = {
  expired: { status: 401, content: { errorCode: 7301, message: 'Token expired' } },
  email: {
    status: 200,
    content: verification('SUCCESS', [
      { identityType: 'EMAIL', identityValue: 'asha@example.com', verified: true },
    ]),
  },
  'email-of-digits': {
    status: 200,
    content: verification('SUCCESS', [
      { ...mobile, identityType: 'EMAIL' },
      { ...mobile, verified: false },
    ]),
  },
  unverified: { status: 200, content: verification('SUCCESS', [{ ...mobile, verified: false }]) },
  'verified-in-words': {
    status: 200,
    content: verification('SUCCESS', [{ ...mobile, verified: 'true' }]),
  },
  failed: { status: 200, content: verification('FAILED', [mobile]) },
  'no-identities': { status: 200, content: { status: 'SUCCESS', userId: 'u1' } },
  'two-phones': {
    status: 200,
    content: verification('SUCCESS', [mobile, { ...mobile, identityValue: '919876543211' }]),
  },
  'no-country-code': {
    status: 200,
    content: verification('SUCCESS', [{ ...mobile, identityValue: '9876543210' }]),
  },
  'not-digits': {
    status: 200,
    content: verification('SUCCESS', [{ ...mobile, identityValue: '91<script>9876543210' }]),
  },
};

export const validateOtpless: Handler = ({ headers, body }, response) => {
  const isKnown =
    headers['clientid'] === OTPLESS_CREDENTIALS.clientId &&
    headers['clientsecret'] === OTPLESS_CREDENTIALS.clientSecret;
  if (!isKnown) return sendJson(response, 401, { message: 'Authorization error' });
  const { token } = JSON.parse(body) as { token: string };
  const [name = ''] = token.split('.');
  if (sendFailure(name, response)) return;
  const [, digits] = /^good\.(\d+)\./.exec(token) ?? [];
  const good = { ...mobile, identityValue: digits };
  if (digits) return sendJson(response, 200, verification('SUCCESS', [good]));
  const reply = REPLIES[name] ?? {
    status: 400,
    content: { errorCode: '7114', message: 'Invalid token' },
  };
  sendJson(response, reply.status, reply.content);
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
