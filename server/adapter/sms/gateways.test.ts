import { createHmac } from 'node:crypto';

import { expect, onTestFinished, test, vi } from 'vitest';

import { NoResponseError } from '#server/adapter/outside/exchange.ts';
import { GATEWAY_NAMES } from '#server/settings/login-table.ts';
import { CLOCK_START } from '#tests/support/app.ts';
import { REDIRECTED_PATH, sendFailure, sendJson } from '#tests/support/fake-services.ts';
import {
  CODE,
  exampleEnvironment,
  openFirstGateway,
  sendError,
  sendText,
} from '#tests/support/gateway.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

import { GatewayError } from './gateway.ts';

const PHONE = '+919876543200';
/** The answer to a request that no fake service expects: the name of a failure, or JSON. */
let answer: string | object;
const services = useFakeServices({
  '*': (_call, response) =>
    typeof answer === 'string' ? sendFailure(answer, response) : sendJson(response, 200, answer),
});
const exampleOf = (name: (typeof GATEWAY_NAMES)[number]) =>
  exampleEnvironment(name, `${services.origin}/service`);

const Body = `${CODE} is your code.`;
const MessagingServiceSid = `MG${'a'.repeat(32)}`;
const parameters = [{ type: 'text', text: CODE }];
const components = [
  { type: 'body', parameters },
  { type: 'button', sub_type: 'url', index: '0', parameters },
];

// The fake services accept a call with the right credentials only.
test.each([
  [
    'msg91Gateway',
    { MSG91_CODE_VARIABLE: 'VAR1' },
    { template_id: 'template-1', recipients: [{ mobiles: PHONE.slice(1), VAR1: CODE }] },
  ],
  ['twilio', {}, { To: PHONE, From: '+15005550006', Body }],
  ['twilio', { TWILIO_FROM: MessagingServiceSid }, { To: PHONE, MessagingServiceSid, Body }],
  [
    'webhook',
    { SMS_TEXT: '{code} is your code.\n@cards.example #{code}' },
    { phone: PHONE, code: CODE, text: `${Body}\n@cards.example #${CODE}` },
  ],
  [
    'whatsapp',
    {},
    {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: PHONE.slice(1),
      type: 'template',
      template: { name: 'login_code', language: { code: 'en_US' }, components },
    },
  ],
] as const)('gateway %s with %j: posts phone and code', async (name, more, content) => {
  await sendText({ ...services.environment[name], ...more }, PHONE);
  const { body = '' } = services.calls.at(-1) ?? {};
  const form = () => Object.fromEntries(new URLSearchParams(body));
  expect(name === 'twilio' ? form() : JSON.parse(body)).toEqual(content);
});

test('webhook gateway: signs the body and the time of sending', async () => {
  const { webhook } = services.environment;
  await sendText(webhook, PHONE);
  const timestamp = String(CLOCK_START / 1000);
  const body = `{"phone":"${PHONE}","code":"${CODE}"}`;
  const hmac = createHmac('sha256', webhook.SMS_WEBHOOK_SECRET).update(`${timestamp}.${body}`);
  const headers = {
    'content-type': 'application/json',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1=${hmac.digest('hex')}`,
  };
  expect(services.callsTo('/webhook').at(-1)).toMatchObject({ body, headers });
});

test('console gateway: writes a code as exactly one line, and rejects if standard output is closed', async () => {
  const written: unknown[] = [];
  let error: Error | undefined;
  vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
    written.push(text);
    for (const done of rest) if (typeof done === 'function') done(error);
    return true;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  await openFirstGateway({}).send(PHONE, '012345');
  expect(written).toEqual([`OTP ${PHONE} 012345\n`]);
  error = new Error('EPIPE');
  await expect(openFirstGateway({}).send(PHONE, '012345')).rejects.toThrow('EPIPE');
});

const REMOTE = GATEWAY_NAMES.filter((name) => !['console', 'email'].includes(name));

test.each(REMOTE)('gateway %s: each failure is an error without phone and code', async (name) => {
  services.calls.length = 0;
  answer = 'broken';
  expect(await sendError(exampleOf(name))).toBeInstanceOf(GatewayError);
  for (answer of ['hang', 'huge', 'redirect'])
    expect(await sendError(exampleOf(name))).toBeInstanceOf(NoResponseError);
  expect(services.calls.length).toBe(4);
  expect(services.callsTo(REDIRECTED_PATH)).toEqual([]);
});

test.each([
  ['msg91', { type: 'error', message: 'AuthenticationFailure' }],
  ['msg91', 'html'],
  ['twilio', 'html'],
  ['twilio', { sid: 'SM1', status: 'failed', error_code: 30034 }],
  ['whatsapp', { messages: [{ id: '1', message_status: 'held_for_quality_assessment' }] }],
  ['whatsapp', { messages: [] }],
] as const)('gateway %s: status 200 with %j is not an accepted message', async (name, content) => {
  answer = content;
  expect(await sendError(exampleOf(name))).toBeInstanceOf(GatewayError);
});

test('whatsapp gateway: the check rejects a wrong token', async () => {
  const { check } = openFirstGateway({ ...services.environment.whatsapp, WHATSAPP_TOKEN: 'other' });
  await expect(check?.()).rejects.toThrow('(status 401)');
});
