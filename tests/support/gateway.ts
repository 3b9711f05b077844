import { expect } from 'vitest';

import { readSettings } from '#server/settings/settings.ts';
import type { GatewayEntry } from '#server/adapter/sms/gateway.ts';
import { openDelivery, openGateways } from '#server/adapter/sms/delivery.ts';
import { GATEWAYS } from '#server/adapter/sms/gateways.ts';
import type { GatewayName } from '#server/adapter/sms/gateways.ts';

import { fixedClock } from './app.ts';
import { PHONE } from './codes.ts';
import { silentLog } from './log.ts';
import { impatientClient } from './third-party.ts';

export const CODE = '481516';

/** Returns the settings of a gateway: the examples of its description, and `url` for every URL. */
export function exampleEnvironment(name: GatewayName, url: string): Record<string, string> {
  const { serviceUrl, keys }: GatewayEntry['description'] = GATEWAYS[name].description;
  const values = Object.entries(keys).map(([key, { example }]) => [key, example]);
  if (serviceUrl !== null) values.push(['SMS_SERVICE_URL', url]);
  const withUrl = values.map(([key, value = '']) => [key, /^https?:/.test(value) ? url : value]);
  return { SMS_GATEWAY: name, ...Object.fromEntries(withUrl) };
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
