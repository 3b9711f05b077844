import { createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { buildTestApp, CLOCK_START } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { openTestGateway } from '#tests/support/gateway.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

const PHONE = '+919876543210';
const CODE = '481516';

const services = useFakeServices();

test('webhook gateway: posts phone and code with a signature over the time of sending', async () => {
  const { webhook } = services.environment;
  await (
    await openTestGateway(webhook)
  )(PHONE, CODE);
  const call = services.callsTo('/webhook').at(-1);
  const timestamp = String(CLOCK_START / 1000);
  const body = `{"phone":"${PHONE}","code":"${CODE}"}`;
  const signature = createHmac('sha256', webhook.SMS_WEBHOOK_SECRET)
    .update(`${timestamp}.${body}`)
    .digest('hex');
  expect(call?.body).toBe(body);
  expect(call?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1=${signature}`,
  });
});

test("webhook gateway: posts the operator's text with every placeholder replaced", async () => {
  const SMS_TEXT = '{code} is your code.\n@cards.example #{code}';
  await (
    await openTestGateway({ ...services.environment.webhook, SMS_TEXT })
  )(PHONE, CODE);
  expect(JSON.parse(services.callsTo('/webhook').at(-1)?.body ?? '')).toEqual({
    phone: PHONE,
    code: CODE,
    text: `${CODE} is your code.\n@cards.example #${CODE}`,
  });
});

test('webhook gateway: the code that it receives is accepted by /otp/verify', async () => {
  const testDatabase = await openTestSqlite();
  const environment = services.environment.webhook;
  const sendCode = await openTestGateway(environment);
  const { app } = buildTestApp(testDatabase.database, { environment, dependencies: { sendCode } });
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });
  const sent = await post('/api/otp/send', { appId: 'tessera', phone: '9876543210' });
  const { challenge } = sent.json<{ challenge: string }>();
  const { code } = JSON.parse(services.callsTo('/webhook').at(-1)?.body ?? '') as { code: string };
  expect((await post('/api/otp/verify', { challenge, code })).statusCode).toBe(200);
});
