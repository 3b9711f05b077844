import { expect, test } from 'vitest';

import { GatewayError } from '#server/sms/gateway.ts';
import { PHONE } from '#tests/support/codes.ts';
import { CODE, sendError, sendText } from '#tests/support/gateway.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

const services = useFakeServices();

test('twilio gateway: posts a form from a phone or from a messaging service', async () => {
  const service = `MG${'a'.repeat(32)}`;
  for (const more of [{}, { TWILIO_FROM: service }])
    await sendText({ ...services.environment.twilio, ...more });
  const forms = services.calls.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  const Body = `${CODE} is your code.`;
  expect(forms).toEqual([
    { To: PHONE, From: '+15005550006', Body },
    { To: PHONE, MessagingServiceSid: service, Body },
  ]);
});

test('twilio gateway: rejected credentials are an error', async () => {
  const environment = { ...services.environment.twilio, TWILIO_AUTH_TOKEN: 'other' };
  expect(await sendError(environment)).toBeInstanceOf(GatewayError);
});
