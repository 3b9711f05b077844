import { createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { buildTestApp, CLOCK_START } from '#tests/support/app.ts';
import { PHONE, sendCode, verifyCode } from '#tests/support/codes.ts';
import type { Sent } from '#tests/support/codes.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { CODE, openTestGateway, sendText } from '#tests/support/gateway.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

const services = useFakeServices();
const lastCall = () => services.callsTo('/webhook').at(-1);
const lastBody = () => JSON.parse(lastCall()?.body ?? '') as Sent;

test('webhook gateway: posts phone and code with a signature over the time of sending', async () => {
  const { webhook } = services.environment;
  await sendText(webhook);
  const timestamp = String(CLOCK_START / 1000);
  const body = `{"phone":"${PHONE}","code":"${CODE}"}`;
  const signature = createHmac('sha256', webhook.SMS_WEBHOOK_SECRET)
    .update(`${timestamp}.${body}`)
    .digest('hex');
  expect(lastCall()).toMatchObject({
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1=${signature}`,
    },
  });
});

test("webhook gateway: posts the operator's text with every placeholder replaced", async () => {
  const SMS_TEXT = '{code} is your code.\n@cards.example #{code}';
  await sendText({ ...services.environment.webhook, SMS_TEXT });
  const text = `${CODE} is your code.\n@cards.example #${CODE}`;
  expect(lastBody()).toEqual({ phone: PHONE, code: CODE, text });
});

test('webhook gateway: the code that it receives is accepted by /otp/verify', async () => {
  const { database } = await openTestSqlite();
  const environment = services.environment.webhook;
  const gateway = await openTestGateway(environment);
  const testApp = buildTestApp(database, { environment, dependencies: { sendCode: gateway } });
  const { challenge } = (await sendCode(testApp)).json<Sent>();
  const { code } = lastBody();
  expect((await verifyCode(testApp, { challenge, code })).statusCode).toBe(200);
});
