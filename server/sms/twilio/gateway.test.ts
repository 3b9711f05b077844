import { expect, test } from 'vitest';

import { GatewayError } from '#server/sms/gateway.ts';
import { openTestGateway, sendError } from '#tests/support/gateway.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

const PHONE = '+919876543210';
const CODE = '481516';

const services = useFakeServices();

test('twilio gateway: posts a form from a phone or from a messaging service', async () => {
  const environment = services.environment.twilio;
  const service = `MG${'a'.repeat(32)}`;
  await (
    await openTestGateway(environment)
  )(PHONE, CODE);
  await (
    await openTestGateway({ ...environment, TWILIO_FROM: service })
  )(PHONE, CODE);
  const forms = services.calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  const Body = `${CODE} is your code.`;
  expect(forms).toEqual([
    { To: PHONE, From: '+15005550006', Body },
    { To: PHONE, MessagingServiceSid: service, Body },
  ]);
});

test('twilio gateway: rejected credentials are an error', async () => {
  const environment = { ...services.environment.twilio, TWILIO_AUTH_TOKEN: 'other' };
  const message = { phone: PHONE, code: CODE };
  expect(await sendError(environment, message)).toBeInstanceOf(GatewayError);
});
