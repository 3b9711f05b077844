import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Logger } from 'pino';

import { NoResponseError } from '#server/adapter/client/http-client.ts';
import type { GatewayName } from '#server/settings/login-table.ts';
import type { Settings } from '#server/settings/settings.ts';

import { GatewayError } from './gateway.ts';
import type { CheckGateway, GatewayDependencies, SendText } from './gateway.ts';
import { GATEWAYS } from './gateways.ts';

/** 'silent': no answer in time, so the message may have been delivered. */
export type Outcome = 'accepted' | 'refused' | 'silent';

export interface SendOptions {
  readonly byNext?: boolean;
}

/** Resolves when a gateway has accepted a one-time code for a phone (E.164), or may have. */
export type SendCode = (phone: string, code: string, options?: SendOptions) => Promise<void>;

export interface Gateway {
  readonly name: GatewayName;
  readonly send: SendText;
  readonly check: CheckGateway | null;
}

export function openGateways(
  settings: Settings,
  dependencies: GatewayDependencies,
): readonly Gateway[] {
  return settings.smsGateway.map((name) => {
    const { openGateway, openCheck } = GATEWAYS[name];
    const send = openGateway(settings, dependencies);
    return {
      name,
      send: (phone, code) =>
        send(phone, code).catch((error: unknown) => {
          // A service may return what was sent, and `code` is also a name for an error.
          if (error instanceof GatewayError && error.reason.includes(code)) error.reason = '';
          throw error;
        }),
      check: openCheck?.(settings, dependencies) ?? null,
    };
  });
}

/** The second gateway gets the same code if the first refuses it or is silent (docs/security.md#sms-gateways). */
export function openDelivery(
  settings: Settings,
  { log, ...dependencies }: GatewayDependencies & { readonly log: Logger },
): SendCode {
  const gateways = openGateways(settings, dependencies);
  const isList = gateways.length > 1;
  return async (phone, code, { byNext = false } = {}) => {
    const serving = gateways.filter(({ name }) => serves(name, phone, settings));
    let error: unknown = new Error('No gateway of SMS_GATEWAY serves the country of this number.');
    let isPerhapsSent = false;
    for (const { name, send } of byNext ? serving.slice(1) : serving) {
      try {
        return await send(phone, code);
      } catch (cause) {
        error = cause;
        const outcome = outcomeOf(cause);
        if (!isList) continue;
        // A number that one gateway serves gets what one gateway alone answers.
        isPerhapsSent ||= outcome === 'silent' && (byNext || serving.length > 1);
        const reason = cause instanceof GatewayError ? cause.reason : undefined;
        const event = { event: 'gateway_failed', gateway: name, outcome, reason, err: cause };
        log.warn(event, 'a gateway has not taken a one-time code');
      }
    }
    if (!isPerhapsSent) throw error;
  };
}

export function outcomeOf(error: unknown): Outcome {
  return error instanceof NoResponseError && error.isTimeout ? 'silent' : 'refused';
}

/** WhatsApp's price for a foreign number is up to twenty times that of one of its own country. */
export function serves(
  name: GatewayName,
  phone: string,
  { whatsappCountries }: Pick<Settings, 'whatsappCountries'>,
): boolean {
  if (name !== 'whatsapp') return true;
  return whatsappCountries.includes(parsePhoneNumberFromString(phone)?.country ?? '');
}

/** Whether a code for this phone, or for some, goes by WhatsApp first, and can go by another gateway. */
export function hasNextGateway(
  settings: Pick<Settings, 'smsGateway' | 'whatsappCountries'>,
  phone?: string,
): boolean {
  const [first, second] = settings.smsGateway;
  if (second === undefined || first !== 'whatsapp') return false;
  return phone === undefined || serves('whatsapp', phone, settings);
}
