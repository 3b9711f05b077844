import { expect } from 'vitest';

import { createHttpClient } from '#server/client/http-client.ts';
import { readSettings } from '#server/settings/settings.ts';
import type { GatewayEntry } from '#server/sms/gateway.ts';
import { openDelivery } from '#server/sms/delivery.ts';
import { GATEWAYS } from '#server/sms/gateways.ts';
import type { GatewayName } from '#server/sms/gateways.ts';

import { fixedClock } from './app.ts';
import { silentLog } from './log.ts';

/** Shorter than a hanging response. */
const TIMEOUT_MS = 1500;

/** Returns the settings of a gateway: the examples of its description, and `url` for every URL. */
export function exampleEnvironment(name: GatewayName, url: string): Record<string, string> {
  const entry: GatewayEntry = GATEWAYS[name];
  const { serviceUrl, keys } = entry.description;
  const values = Object.entries(keys).map(([key, { example }]): [string, string] => [
    key,
    /^https?:/.test(example) ? url : example,
  ]);
  return {
    SMS_GATEWAY: name,
    ...(serviceUrl === null ? null : { SMS_SERVICE_URL: url }),
    ...Object.fromEntries(values),
  };
}

export function openTestGateway(environment: Record<string, string>, log = silentLog) {
  return openDelivery(readSettings(environment), {
    httpClient: createHttpClient(TIMEOUT_MS),
    clock: fixedClock(),
    log,
  });
}

/** Returns the error of a gateway. Fails if the error contains the code or the phone. */
export async function sendError(
  environment: Record<string, string>,
  { phone, code }: { phone: string; code: string },
): Promise<Error> {
  const send = await openTestGateway(environment);
  const error = await send(phone, code).then(
    () => new Error('The gateway accepted the message.'),
    (cause: Error) => cause,
  );
  const whole = JSON.stringify([error.message, error.stack, error.cause, error]);
  expect(whole).not.toContain(code);
  expect(whole).not.toContain(phone.slice(-10));
  return error;
}
