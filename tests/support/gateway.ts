import { expect } from 'vitest';

import { readSettings } from '#server/settings/settings.ts';
import { openDelivery, openGateways } from '#server/adapter/sms/delivery.ts';
import type { GatewayName } from '#server/settings/login-table.ts';

import { fixedClock } from './app.ts';
import { PHONE } from './codes.ts';
import { silentLog } from './log.ts';
import { impatientClient } from './third-party.ts';

export const CODE = '481516';

/** The settings of each gateway for a service with this URL. */
const examples = (url: string): Record<GatewayName, Record<string, string>> => ({
  console: {},
  webhook: {
    SMS_WEBHOOK_URL: url,
    SMS_WEBHOOK_SECRET: 'a-secret-of-at-least-32-characters',
    SMS_TEXT: '{code} is your code.',
  },
  msg91: {
    SMS_SERVICE_URL: url,
    MSG91_AUTH_KEY: 'auth-key-1',
    MSG91_TEMPLATE_ID: 'template-1',
  },
  twilio: {
    SMS_SERVICE_URL: url,
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    TWILIO_AUTH_TOKEN: 'auth-token-1',
    TWILIO_FROM: '+15005550006',
    SMS_TEXT: '{code} is your code.',
  },
  whatsapp: {
    WHATSAPP_API_URL: url,
    WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
    WHATSAPP_TOKEN: 'whatsapp-token-1',
    WHATSAPP_TEMPLATE: 'login_code',
    WHATSAPP_LANGUAGE: 'en_US',
  },
});

export function exampleEnvironment(name: GatewayName, url: string): Record<string, string> {
  return { SMS_GATEWAY: name, ...examples(url)[name] };
}

export function openTestGateway(environment: Record<string, string>, log = silentLog) {
  const dependencies = { httpClient: impatientClient, clock: fixedClock(), log };
  return openDelivery(readSettings(environment), dependencies);
}

export async function openFirst(environment: Record<string, string>, httpClient = impatientClient) {
  const dependencies = { httpClient, clock: fixedClock() };
  const [gateway] = await openGateways(readSettings(environment), dependencies);
  return gateway as NonNullable<typeof gateway>;
}

export async function sendText(environment: Record<string, string>, phone = PHONE): Promise<void> {
  const send = await openTestGateway(environment);
  await send(phone, CODE);
}

/** Returns the error of a gateway. Fails if the error contains the code or the phone. */
export async function sendError(
  environment: Record<string, string>,
  phone = PHONE,
): Promise<Error> {
  const error = await sendText(environment, phone).then(
    () => new Error('The gateway accepted the message.'),
    (cause: Error) => cause,
  );
  const whole = JSON.stringify([error.message, error.stack, error.cause, error]);
  expect(whole).not.toContain(CODE);
  expect(whole).not.toContain(phone.slice(-10));
  return error;
}
