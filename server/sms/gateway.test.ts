import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createHttpClient, NoResponseError } from '#server/http/client.ts';
import { readSettings } from '#server/settings.ts';
import { fixedClock, CLOCK_START } from '#tests/support/app.ts';
import { REDIRECTED_PATH } from '#tests/support/fake-failures.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';

import { GATEWAYS } from './gateways.ts';
import { GatewayError } from './gateway.ts';
import type { Gateway } from './gateway.ts';

const TIMEOUT_MS = 1500;
const CODE = '481516';
const PHONE = '+919876543210';

let services: FakeServices;
beforeAll(async () => {
  services = await startFakeServices();
});
afterAll(() => services.close());

const KINDS = ['webhook', 'msg91Gateway', 'twilio'] as const;

function open(kind: (typeof KINDS)[number], environment: Record<string, string> = {}) {
  const settings = readSettings({ ...services.environment[kind], ...environment });
  const gateway: Gateway = GATEWAYS[settings.smsGateway];
  return gateway.open(settings.gateway, {
    httpClient: createHttpClient(TIMEOUT_MS),
    clock: fixedClock(),
  });
}

/** What a gateway rejects with; nothing of it may tell the phone or the code. */
async function failureOf(sending: Promise<void>): Promise<Error> {
  const error = await sending.then(
    () => new Error('It was taken.'),
    (cause: Error) => cause,
  );
  const whole = JSON.stringify([error.message, error.stack, error.cause, error]);
  expect(whole).not.toContain(CODE);
  expect(whole).not.toMatch(/98765432/);
  return error;
}

test('the webhook gets the phone and the code, signed with the time of sending', async () => {
  await open('webhook')(PHONE, CODE);
  const call = services.callsTo('/webhook').at(-1);
  const timestamp = String(CLOCK_START / 1000);
  const body = `{"phone":"${PHONE}","code":"${CODE}"}`;
  const seal = createHmac('sha256', services.environment.webhook.SMS_WEBHOOK_SECRET)
    .update(`${timestamp}.${body}`)
    .digest('hex');
  expect(call?.body).toBe(body);
  expect(call?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1=${seal}`,
  });
});

test("the operator's text goes along to the webhook, the code in its place", async () => {
  await open('webhook', { SMS_TEXT: '{code} is your code.\n@cards.example #{code}' })(PHONE, CODE);
  expect(JSON.parse(services.callsTo('/webhook').at(-1)?.body ?? '')).toEqual({
    phone: PHONE,
    code: CODE,
    text: `${CODE} is your code.\n@cards.example #${CODE}`,
  });
});

test('MSG91 gets the template, the number without its plus, and the code in its variable', async () => {
  await open('msg91Gateway', { MSG91_CODE_VARIABLE: 'VAR1' })(PHONE, CODE);
  const call = services.callsTo('/msg91/api/v5/flow').at(-1);
  expect(call?.headers['authkey']).toBe('auth-key-1');
  expect(JSON.parse(call?.body ?? '')).toEqual({
    template_id: 'template-1',
    recipients: [{ mobiles: '919876543210', VAR1: CODE }],
  });
});

test('Twilio gets a form from a phone or from a messaging service', async () => {
  await open('twilio')(PHONE, CODE);
  const service = `MG${'a'.repeat(32)}`;
  await open('twilio', { TWILIO_FROM: service })(PHONE, CODE);
  const forms = services.calls
    .filter(({ path }) => path.startsWith('/twilio/'))
    .map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  const Body = `${CODE} is your code.`;
  expect(forms).toEqual([
    { To: PHONE, From: '+15005550006', Body },
    { To: PHONE, MessagingServiceSid: service, Body },
  ]);
});

test.each(KINDS)(
  '%s: a gateway that refuses, breaks, hangs or redirects has not taken it',
  async (kind) => {
    const send = open(kind);
    expect(await failureOf(send('+919876543211', CODE))).toBeInstanceOf(GatewayError);
    expect(await failureOf(send('+919876543212', CODE))).toBeInstanceOf(NoResponseError);
    expect(await failureOf(send('+919876543214', CODE))).toBeInstanceOf(NoResponseError);
    expect(await failureOf(send('+919876543215', CODE))).toBeInstanceOf(NoResponseError);
    expect(services.callsTo(REDIRECTED_PATH)).toEqual([]);
  },
);

test('wrong credentials are no delivery, whatever status tells of them', async () => {
  const msg91 = open('msg91Gateway', { MSG91_AUTH_KEY: 'other' });
  expect(await failureOf(msg91(PHONE, CODE))).toBeInstanceOf(GatewayError);
  const twilio = open('twilio', { TWILIO_AUTH_TOKEN: 'other' });
  expect(await failureOf(twilio(PHONE, CODE))).toBeInstanceOf(GatewayError);
  const html = open('msg91Gateway');
  expect(await failureOf(html('+919876543213', CODE))).toBeInstanceOf(GatewayError);
});
