import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import type { GatewayName } from '#server/settings/login-table.ts';

import { close, listen } from './port.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Handler = (call: Call, response: ServerResponse) => unknown;

const HANG_MS = 10_000;
const HUGE_BYTES = 10_000_000;
/** Redirects lead here. A client that follows one gets a valid response. */
export const REDIRECTED_PATH = '/redirected';

/** Emits 'hang' when a request gets no answer. */
export const hangs = new EventEmitter();

export const FAILURES = ['broken', 'hang', 'html', 'huge', 'redirect'] as const;

export function sendFailure(name: string, response: ServerResponse): boolean {
  const send = (status: number, type: string, body: string) =>
    response.writeHead(status, { 'content-type': type }).end(body);
  if (name === 'broken') send(500, 'application/json', '{"error":"internal"}');
  else if (name === 'html') send(200, 'text/html', '<!doctype html><p>Welcome');
  else if (name === 'redirect') response.writeHead(307, { location: REDIRECTED_PATH }).end();
  else if (name === 'huge') {
    const filler = 'x'.repeat(HUGE_BYTES);
    send(200, 'application/json', `{"status":"SUCCESS","type":"success","x":"${filler}"}`);
  } else if (name === 'hang') {
    hangs.emit('hang');
    setTimeout(() => response.destroy(), HANG_MS).unref();
  } else return false;
  return true;
}

export function sendJson(response: ServerResponse, status: number, content: unknown): void {
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  const headers = { 'content-type': 'application/json', ...cors };
  response.writeHead(status, headers).end(JSON.stringify(content));
}

const MSG91_AUTH_KEY = 'auth-key-1';
const OTPLESS = { clientId: 'client-1', clientSecret: 'client-secret-1' };
const TWILIO = { account: `AC${'0'.repeat(32)}`, token: 'twilio-token-1' };
const WHATSAPP = { number: '106540352242922', token: 'whatsapp-token-1' };

const GATEWAY_REPLIES = ['good', 'broken', 'hang', 'html', 'huge', 'redirect'];

/** Sends the failure that the last digit of a phone selects. Returns false for 0, which selects none. */
const sendFailureFor = (phone: string, response: ServerResponse) =>
  sendFailure(GATEWAY_REPLIES[Number(phone.at(-1))] ?? '', response);

/** Returns the phone of a token 'good.<digits>.<anything>'. Every other token is invalid. */
const digitsOf = (token: string) => /^good\.(\d+)\./.exec(token)?.[1];

const sendTwilio: Handler = ({ headers, body }, response) => {
  const credentials = Buffer.from(`${TWILIO.account}:${TWILIO.token}`).toString('base64');
  if (headers['authorization'] !== `Basic ${credentials}`)
    return sendJson(response, 401, { code: 20003, message: 'Authenticate' });
  if (sendFailureFor(new URLSearchParams(body).get('To') ?? '', response)) return;
  sendJson(response, 201, { sid: `SM${'0'.repeat(32)}`, status: 'queued' });
};

const receiveWebhook: Handler = ({ body }, response) => {
  const { phone } = JSON.parse(body) as { phone: string };
  if (!sendFailureFor(phone, response)) response.writeHead(204).end();
};

const sendMsg91: Handler = ({ headers, body }, response) => {
  if (headers['authkey'] !== MSG91_AUTH_KEY)
    return sendJson(response, 200, { type: 'error', message: 'AuthenticationFailure' });
  const { recipients } = JSON.parse(body) as { recipients: { mobiles: string }[] };
  if (sendFailureFor(recipients[0]?.mobiles ?? '', response)) return;
  sendJson(response, 200, { type: 'success', message: '3763706c' });
};

/** Accepts each token once, as the real service does. */
function verifyMsg91(): Handler {
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
    const message = digitsOf(token);
    if (message) return sendJson(response, 200, { type: 'success', message });
    fail('invalid access-token', 701);
  };
}

const validateOtpless: Handler = ({ headers, body }, response) => {
  if (headers['clientid'] !== OTPLESS.clientId || headers['clientsecret'] !== OTPLESS.clientSecret)
    return sendJson(response, 401, { message: 'Authorization error' });
  const { token } = JSON.parse(body) as { token: string };
  if (sendFailure(token.split('.')[0] ?? '', response)) return;
  const digits = digitsOf(token);
  if (!digits) return sendJson(response, 400, { errorCode: '7114', message: 'Invalid token' });
  const identity = { identityType: 'MOBILE', identityValue: digits, verified: true };
  sendJson(response, 200, { status: 'SUCCESS', userId: 'u1', identities: [identity] });
};

/** The second-to-last digit of the recipient's phone selects one of these answers. */
const WHATSAPP_REPLY = 'accepted 132001 131026 190 130429 131056 broken hang html huge'.split(' ');
const STATUS_OF_CODE: Readonly<Record<string, number>> = { 190: 401, 132001: 404, 130429: 429 };

function sendWhatsappError(response: ServerResponse, code: string, message = 'Invalid token') {
  const error = { message, type: 'OAuthException', code: Number(code), fbtrace_id: 'Az8or2yhqkZ' };
  sendJson(response, STATUS_OF_CODE[code] ?? 400, { error });
}

const sendWhatsapp: Handler = ({ headers, body }, response) => {
  const { to } = JSON.parse(body) as { to: string };
  const isKnown = headers['authorization'] === `Bearer ${WHATSAPP.token}`;
  const answer = isKnown ? (WHATSAPP_REPLY[Number(to.at(-2))] ?? '') : '190';
  if (answer === 'accepted') {
    return sendJson(response, 200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id: 'wamid.HBgLMTY1MDUwNzY1MjAVAgARGBI5', message_status: 'accepted' }],
    });
  }
  if (sendFailure(answer, response)) return;
  sendWhatsappError(response, answer, `(#${answer}) Message to ${to} undeliverable`);
};

const readWhatsappNumber: Handler = ({ headers }, response) =>
  headers['authorization'] === `Bearer ${WHATSAPP.token}`
    ? sendJson(response, 200, { id: WHATSAPP.number, verified_name: 'Tessera' })
    : sendWhatsappError(response, '190');

/** The script renders its form into the container, and calls `window.otpless` with the token. */
const OTPLESS_SCRIPT = `
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

const MSG91_SCRIPT = `
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

const SCRIPT_HEADERS = { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' };
const script =
  (content: string): Handler =>
  (_call, response) =>
    response.writeHead(200, SCRIPT_HEADERS).end(content);

let tokens = 0;

/** A widget calls this with the phone that was typed. The reply is a token that verifies the phone. */
const startSignIn: Handler = ({ body }, response) =>
  sendJson(response, 200, { token: `good.${body}.${(tokens += 1)}` });

export type FakeServices = Awaited<ReturnType<typeof startFakeServices>>;

/**
 * Starts all fake services on one local port, each below a path of its own. `added` contains further routes, of
 * which '*' handles every other request.
 */
export async function startFakeServices(added: Readonly<Record<string, Handler>> = {}) {
  const identity = { identityType: 'MOBILE', identityValue: '919876543210', verified: true };
  const routes: Record<string, Handler> = {
    'GET /otpless/v4/auth.js': script(OTPLESS_SCRIPT),
    'POST /otpless/start': startSignIn,
    'POST /otpless/auth/v1/validate/token': validateOtpless,
    'GET /msg91/otp-provider.js': script(MSG91_SCRIPT),
    'POST /msg91/start': startSignIn,
    'POST /msg91/api/v5/widget/verifyAccessToken': verifyMsg91(),
    'POST /msg91/api/v5/flow': sendMsg91,
    [`POST /twilio/2010-04-01/Accounts/${TWILIO.account}/Messages.json`]: sendTwilio,
    [`GET /twilio/2010-04-01/Accounts/${TWILIO.account}.json`]: (_call, response) =>
      sendJson(response, 200, { sid: TWILIO.account, status: 'suspended' }),
    'POST /webhook': receiveWebhook,
    [`POST /whatsapp/v23.0/${WHATSAPP.number}/messages`]: sendWhatsapp,
    [`GET /whatsapp/v23.0/${WHATSAPP.number}`]: readWhatsappNumber,
    // A client that follows the redirect gets this success, so that its test fails.
    [`POST ${REDIRECTED_PATH}`]: (_call, response) => {
      const message = identity.identityValue;
      const success = { type: 'success', message, status: 'SUCCESS', identities: [identity] };
      sendJson(response, 200, success);
    },
    ...added,
  };
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      if (method === 'OPTIONS') return sendJson(response, 200, {});
      const call = { method, path: url.split('?', 1)[0] ?? '', headers, body };
      calls.push(call);
      const handler = routes[`${method} ${call.path}`] ?? routes['*'];
      return handler ? handler(call, response) : sendJson(response, 404, { error: 'not_found' });
    });
  });
  const origin = await listen(server);
  return {
    origin,
    calls,
    callsTo: (path: string) => calls.filter((call) => call.path === path),
    environment: environments(origin),
    close: () => close(server),
  };
}

/** Returns the settings of each gateway. `urlOf` returns the URL of a path of the fake services. */
export const gatewaySettings = (urlOf: (path: string) => string) =>
  ({
    console: { SMS_GATEWAY: 'console' },
    webhook: {
      SMS_GATEWAY: 'webhook',
      SMS_WEBHOOK_URL: urlOf('/webhook'),
      SMS_WEBHOOK_SECRET: 'a-secret-of-at-least-32-characters',
    },
    msg91: {
      SMS_GATEWAY: 'msg91',
      SMS_SERVICE_URL: urlOf('/msg91'),
      MSG91_AUTH_KEY,
      MSG91_TEMPLATE_ID: 'template-1',
    },
    twilio: {
      SMS_GATEWAY: 'twilio',
      SMS_SERVICE_URL: urlOf('/twilio'),
      TWILIO_ACCOUNT_SID: TWILIO.account,
      TWILIO_AUTH_TOKEN: TWILIO.token,
      TWILIO_FROM: '+15005550006',
      SMS_TEXT: '{code} is your code.',
    },
    whatsapp: {
      SMS_GATEWAY: 'whatsapp',
      WHATSAPP_PHONE_NUMBER_ID: WHATSAPP.number,
      WHATSAPP_TOKEN: WHATSAPP.token,
      WHATSAPP_TEMPLATE: 'login_code',
      WHATSAPP_LANGUAGE: 'en_US',
      WHATSAPP_API_URL: urlOf('/whatsapp/v23.0'),
    },
    email: {
      SMS_GATEWAY: 'email',
      SMTP_URL: 'smtp://user:password@127.0.0.1:1',
      SMTP_FROM: 'codes@example.com',
    },
  }) satisfies Record<GatewayName, Record<string, string>>;

function environments(origin: string) {
  const { msg91: msg91Gateway, ...gateways } = gatewaySettings((path) => origin + path);
  return {
    otpless: {
      OTP_PROVIDER: 'otpless',
      OTP_APP_ID: 'app-1',
      OTP_SCRIPT_URL: `${origin}/otpless/v4/auth.js`,
      OTP_SERVICE_URL: `${origin}/otpless`,
      OTPLESS_CLIENT_ID: OTPLESS.clientId,
      OTPLESS_CLIENT_SECRET: OTPLESS.clientSecret,
    },
    msg91: {
      OTP_PROVIDER: 'msg91',
      OTP_APP_ID: 'widget-1',
      OTP_SCRIPT_URL: `${origin}/msg91/otp-provider.js`,
      OTP_SERVICE_URL: `${origin}/msg91`,
      MSG91_AUTH_KEY,
      MSG91_TOKEN_AUTH: 'token-auth-1',
    },
    ...gateways,
    msg91Gateway,
  };
}
