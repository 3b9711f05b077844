import { replyOfPhone } from './fake-msg91.ts';
import { sendFailure, sendJson } from './fake-failures.ts';
import type { Handler } from './fake-services.ts';

export const TWILIO = { account: `AC${'0'.repeat(32)}`, token: 'twilio-token-1' };

export const sendTwilio: Handler = ({ headers, body }, response) => {
  const [, credentials = ''] = (headers['authorization'] ?? '').split('Basic ');
  if (Buffer.from(credentials, 'base64').toString() !== `${TWILIO.account}:${TWILIO.token}`) {
    return sendJson(response, 401, { code: 20003, message: 'Authenticate' });
  }
  const to = new URLSearchParams(body).get('To') ?? '';
  if (sendFailure(replyOfPhone(to), response)) return;
  sendJson(response, 201, { sid: `SM${'0'.repeat(32)}`, status: 'queued' });
};

export const readTwilioAccount: Handler = (_call, response) =>
  sendJson(response, 200, { sid: TWILIO.account, status: 'suspended' });

export const receiveWebhook: Handler = ({ body }, response) => {
  const { phone } = JSON.parse(body) as { phone: string };
  if (sendFailure(replyOfPhone(phone), response)) return;
  response.writeHead(204).end();
};
