import { expect, test } from 'vitest';

import { readSettings } from '#server/settings/settings.ts';
import { openGateways } from '#server/sms/delivery.ts';
import { GatewayError } from '#server/sms/gateway.ts';
import { fixedClock } from '#tests/support/app.ts';
import { sendJson } from '#tests/support/fake-failures.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import { WHATSAPP } from '#tests/support/fake-whatsapp.ts';
import { CODE, sendError, sendText } from '#tests/support/gateway.ts';
import { impatientClient, useFakeServices } from '#tests/support/third-party.ts';

const PHONE = '+919876543200';

const services = useFakeServices();

test('whatsapp gateway: posts the template with the code in its body and in its button', async () => {
  await sendText(services.environment.whatsapp, PHONE);
  const [call] = services.callsTo(`${WHATSAPP.path}/messages`);
  expect(call?.headers['authorization']).toBe('Bearer whatsapp-token-1');
  const parameters = [{ type: 'text', text: CODE }];
  expect(JSON.parse(call?.body ?? '')).toEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '919876543200',
    type: 'template',
    template: {
      name: 'login_code',
      language: { code: 'en_US' },
      components: [
        { type: 'body', parameters },
        { type: 'button', sub_type: 'url', index: '0', parameters },
      ],
    },
  });
});

test('whatsapp gateway: a message that Meta holds back, or without an id, is not accepted', async () => {
  const held = { id: 'wamid.1', message_status: 'held_for_quality_assessment' };
  for (const messages of [[held], [], [{}]]) {
    const other = await startFakeServices({
      [`POST ${WHATSAPP.path}/messages`]: (_call, response) =>
        sendJson(response, 200, { messages }),
    });
    const error = await sendError(other.environment.whatsapp, PHONE);
    await other.close();
    expect(error).toBeInstanceOf(GatewayError);
  }
});

test('whatsapp gateway: the check reads the number and sends no message', async () => {
  const check = async (more: object) => {
    const settings = readSettings({ ...services.environment.whatsapp, ...more });
    const dependencies = { httpClient: impatientClient, clock: fixedClock() };
    const [gateway] = await openGateways(settings, dependencies);
    await gateway?.check?.();
  };
  const sent = services.callsTo(`${WHATSAPP.path}/messages`).length;
  await check({});
  await expect(check({ WHATSAPP_TOKEN: 'other' })).rejects.toThrow('(status 401)');
  expect(services.callsTo(`${WHATSAPP.path}/messages`).length).toBe(sent);
});
