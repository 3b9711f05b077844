import { expect, test } from 'vitest';

import { GatewayError } from '#server/sms/gateway.ts';
import { openTestGateway, sendError } from '#tests/support/gateway.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

const PHONE = '+919876543210';
const CODE = '481516';

const services = useFakeServices();

test('msg91 gateway: posts the template, the number without its plus, and the code as its variable', async () => {
  const environment = { ...services.environment.msg91Gateway, MSG91_CODE_VARIABLE: 'VAR1' };
  await (
    await openTestGateway(environment)
  )(PHONE, CODE);
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
  expect(await sendError(otherKey, { phone: PHONE, code: CODE })).toBeInstanceOf(GatewayError);
  // The fake answers this number with HTML.
  const message = { phone: '+919876543213', code: CODE };
  expect(await sendError(environment, message)).toBeInstanceOf(GatewayError);
});
