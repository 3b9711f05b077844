import { expect } from 'vitest';

import { readSettings } from '#server/settings/settings.ts';
import { openDelivery, openGateways } from '#server/adapter/sms/delivery.ts';
import type { GatewayName } from '#server/settings/login-table.ts';

import { fixedClock } from './app.ts';
import { PHONE } from './codes.ts';
import { gatewaySettings } from './fake-services.ts';
import { silentLog } from './log.ts';
import { impatientClient } from './third-party.ts';

export const CODE = '481516';

export const exampleEnvironment = (name: GatewayName, url: string): Record<string, string> =>
  gatewaySettings(() => url)[name];

export function openTestGateway(environment: Record<string, string>, log = silentLog) {
  const dependencies = { httpClient: impatientClient, clock: fixedClock(), log };
  return openDelivery(readSettings(environment), dependencies);
}

export function openFirstGateway(
  environment: Record<string, string>,
  httpClient = impatientClient,
) {
  const dependencies = { httpClient, clock: fixedClock() };
  const [gateway] = openGateways(readSettings(environment), dependencies);
  return gateway as NonNullable<typeof gateway>;
}

export async function sendText(environment: Record<string, string>, phone = PHONE): Promise<void> {
  const send = openTestGateway(environment);
  await send(phone, CODE);
}

/** Returns the error of a gateway. Fails the test if the error contains the code or the phone. */
export async function sendError(environment: Record<string, string>, phone = PHONE) {
  const error = await sendText(environment, phone).then(
    () => new Error('The gateway accepted the message.'),
    (cause: Error) => cause,
  );
  const whole = JSON.stringify([error.message, error.stack, error.cause, error]);
  expect(whole).not.toContain(CODE);
  expect(whole).not.toContain(phone.slice(-10));
  return error;
}
