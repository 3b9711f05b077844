import { expect, test } from 'vitest';

import { GatewayError } from '#server/sms/gateway.ts';
import { CODE, sendError, sendText } from '#tests/support/gateway.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

const services = useFakeServices();

test('msg91 gateway: posts the template, the number without its plus, and the code as its variable', async () => {
  await sendText({ ...services.environment.msg91Gateway, MSG91_CODE_VARIABLE: 'VAR1' });
  const call = services.callsTo('/msg91/api/v5/flow').at(-1);
  expect(call?.headers['authkey']).toBe('auth-key-1');
  expect(JSON.parse(call?.body ?? '')).toEqual({
    template_id: 'template-1',
    recipients: [{ mobiles: '919876543210', VAR1: CODE }],
  });
});

test('msg91 gateway: an error or a page with status 200 is not an accepted message', async () => {
  const environment = services.environment.msg91Gateway;
  const otherKey = { ...environment, MSG91_AUTH_KEY: 'other' };
  expect(await sendError(otherKey)).toBeInstanceOf(GatewayError);
  // The fake answers this number with HTML.
  expect(await sendError(environment, '+919876543213')).toBeInstanceOf(GatewayError);
});
