import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import {
  FIREBASE_APP_MODULE,
  FIREBASE_AUTH_MODULE,
  FIREBASE_PROJECT,
  firebaseAuthority,
} from './fake-firebase.ts';
import {
  MSG91_AUTH_KEY,
  MSG91_SCRIPT,
  replyOfPhone,
  sendMsg91,
  verifyMsg91,
} from './fake-msg91.ts';
import { REDIRECTED_PATH, sendFailure, sendJson } from './fake-failures.ts';
import { listen } from './port.ts';
import { readWhatsappNumber, sendWhatsapp, WHATSAPP } from './fake-whatsapp.ts';

export type Call = Readonly<
  Record<'method' | 'path' | 'body', string> & { headers: IncomingHttpHeaders }
>;

export type Handler = (call: Call, response: ServerResponse) => unknown;

const TWILIO = { account: `AC${'0'.repeat(32)}`, token: 'twilio-token-1' };

const sendTwilio: Handler = ({ headers, body }, response) => {
  const [, credentials = ''] = (headers['authorization'] ?? '').split('Basic ');
  if (Buffer.from(credentials, 'base64').toString() !== `${TWILIO.account}:${TWILIO.token}`) {
    return sendJson(response, 401, { code: 20003, message: 'Authenticate' });
  }
  const to = new URLSearchParams(body).get('To') ?? '';
  if (sendFailure(replyOfPhone(to), response)) return;
  sendJson(response, 201, { sid: `SM${'0'.repeat(32)}`, status: 'queued' });
};

const readTwilioAccount: Handler = (_call, response) =>
  sendJson(response, 200, { sid: TWILIO.account, status: 'suspended' });

const receiveWebhook: Handler = ({ body }, response) => {
  const { phone } = JSON.parse(body) as { phone: string };
  if (sendFailure(replyOfPhone(phone), response)) return;
  response.writeHead(204).end();
};

const OTPLESS_CREDENTIALS = { clientId: 'client-1', clientSecret: 'client-secret-1' };

/** 'good.<digits>.<anything>' verifies that phone; another token is invalid. */
const validateOtpless: Handler = ({ headers, body }, response) => {
  const { clientId, clientSecret } = OTPLESS_CREDENTIALS;
  if (headers['clientid'] !== clientId || headers['clientsecret'] !== clientSecret)
    return sendJson(response, 401, { message: 'Authorization error' });
  const { token } = JSON.parse(body) as { token: string };
  const [name = ''] = token.split('.');
  if (sendFailure(name, response)) return;
  const [, digits] = /^good\.(\d+)\./.exec(token) ?? [];
  if (!digits) return sendJson(response, 400, { errorCode: '7114', message: 'Invalid token' });
  const identity = { identityType: 'MOBILE', identityValue: digits, verified: true };
  sendJson(response, 200, { status: 'SUCCESS', userId: 'u1', identities: [identity] });
};

/** Renders its form into the container; calls `window.otpless` with the token. */
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

export type FakeServices = Awaited<ReturnType<typeof startFakeServices>>;

/**
 * Starts fake login providers and gateways on one local port, each below its own path. The token or
 * the phone in a call selects the reply, valid or not. `added` are further routes; '*' handles every
 * other request.
 */
export async function startFakeServices(added: Readonly<Record<string, Handler>> = {}) {
  const authority = await firebaseAuthority();
  const routes: Record<string, Handler | undefined> = { ...makeRoutes(authority), ...added };
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    void readCall(request).then((call) => {
      if (call.method === 'OPTIONS') return sendJson(response, 200, {});
      calls.push(call);
      const handler = routes[`${call.method} ${call.path}`] ?? routes['*'];
      return handler ? handler(call, response) : sendJson(response, 404, { error: 'not_found' });
    });
  });
  const origin = await listen(server);
  return {
    origin,
    calls,
    callsTo: (path: string) => calls.filter((call) => call.path === path),
    authority,
    environment: environments(origin),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function environments(origin: string) {
  return {
    otpless: {
      OTP_PROVIDER: 'otpless',
      OTP_APP_ID: 'app-1',
      OTP_SCRIPT_URL: `${origin}/otpless/v4/auth.js`,
      OTP_SERVICE_URL: `${origin}/otpless`,
      OTPLESS_CLIENT_ID: OTPLESS_CREDENTIALS.clientId,
      OTPLESS_CLIENT_SECRET: OTPLESS_CREDENTIALS.clientSecret,
    },
    msg91: {
      OTP_PROVIDER: 'msg91',
      OTP_APP_ID: 'widget-1',
      OTP_SCRIPT_URL: `${origin}/msg91/otp-provider.js`,
      OTP_SERVICE_URL: `${origin}/msg91`,
      MSG91_AUTH_KEY,
      MSG91_TOKEN_AUTH: 'token-auth-1',
    },
    firebase: {
      OTP_PROVIDER: 'firebase',
      OTP_APP_ID: FIREBASE_PROJECT,
      OTP_SCRIPT_URL: `${origin}/firebase`,
      OTP_SERVICE_URL: `${origin}/firebase`,
      FIREBASE_API_KEY: 'api-key-1',
    },
    webhook: {
      SMS_GATEWAY: 'webhook',
      SMS_WEBHOOK_URL: `${origin}/webhook`,
      SMS_WEBHOOK_SECRET: 'a-secret-of-at-least-32-characters',
    },
    msg91Gateway: {
      SMS_GATEWAY: 'msg91',
      SMS_SERVICE_URL: `${origin}/msg91`,
      MSG91_AUTH_KEY,
      MSG91_TEMPLATE_ID: 'template-1',
    },
    twilio: {
      SMS_GATEWAY: 'twilio',
      SMS_SERVICE_URL: `${origin}/twilio`,
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
      WHATSAPP_API_URL: `${origin}/whatsapp/v23.0`,
    },
  };
}

function makeRoutes(
  authority: Awaited<ReturnType<typeof firebaseAuthority>>,
): Record<string, Handler> {
  return {
    'GET /otpless/v4/auth.js': script(OTPLESS_SCRIPT),
    'POST /otpless/start': startSignIn,
    'POST /otpless/auth/v1/validate/token': validateOtpless,
    'GET /msg91/otp-provider.js': script(MSG91_SCRIPT),
    'POST /msg91/start': startSignIn,
    'POST /msg91/api/v5/widget/verifyAccessToken': verifyMsg91(),
    'POST /msg91/api/v5/flow': sendMsg91,
    'GET /firebase/firebase-app.js': script(FIREBASE_APP_MODULE),
    'GET /firebase/firebase-auth.js': script(FIREBASE_AUTH_MODULE),
    'POST /firebase/start': async ({ body }, response) =>
      sendJson(response, 200, { token: await authority.sign({ phone: body }) }),
    'GET /firebase/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com':
      authority.sendKeys,
    [`POST /twilio/2010-04-01/Accounts/${TWILIO.account}/Messages.json`]: sendTwilio,
    [`GET /twilio/2010-04-01/Accounts/${TWILIO.account}.json`]: readTwilioAccount,
    'POST /webhook': receiveWebhook,
    [`POST ${WHATSAPP.path}/messages`]: sendWhatsapp,
    [`GET ${WHATSAPP.path}`]: readWhatsappNumber,
    // A client that follows the redirect gets this success, so its test fails.
    [`POST ${REDIRECTED_PATH}`]: (_call, response) =>
      sendJson(response, 200, {
        type: 'success',
        message: '919876543210',
        status: 'SUCCESS',
        identities: [{ identityType: 'MOBILE', identityValue: '919876543210', verified: true }],
      }),
    [`GET ${REDIRECTED_PATH}`]: authority.sendKeys,
  };
}

let tokens = 0;

/** A widget calls this with the typed phone; the reply is a token that verifies it. */
const startSignIn: Handler = ({ body }, response) => {
  tokens += 1;
  sendJson(response, 200, { token: `good.${body}.${tokens}` });
};

const SCRIPT_HEADERS = { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' };

const script =
  (content: string): Handler =>
  (_call, response) =>
    response.writeHead(200, SCRIPT_HEADERS).end(content);

async function readCall(request: IncomingMessage): Promise<Call> {
  const { method = '', url = '', headers } = request;
  return { method, path: url.split('?', 1)[0] ?? '', headers, body: await text(request) };
}
