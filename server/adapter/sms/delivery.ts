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

export interface GatewayReport {
  readonly gateway: GatewayName;
  readonly outcome: Outcome;
  readonly answer: string;
  readonly meaning: string;
}

const NOT_THE_SERVICE =
  'This is not an answer of the provider. Check SMS_SERVICE_URL or WHATSAPP_API_URL, and a proxy in between.';
const UNREACHABLE =
  'The provider cannot be reached. Check the name service and the firewall for outgoing https.';
const SILENT =
  "The provider has not answered in 5 s. The message may still come; look at the provider's status page.";
const UNKNOWN = "Look the answer up in the provider's documentation (docs/sms.md has the links).";

/** For an answer without an entry in the gateway's `meanings`. */
const MEANING_OF_STATUS: Readonly<Record<number, string>> = {
  200: NOT_THE_SERVICE,
  401: 'The key is wrong, or it has expired.',
  402: 'The balance is used up.',
  403: 'The key may not do this, or the address of this server is not allowed.',
  404: 'The account, the sender or the address of the call does not exist.',
  429: 'Too many messages at once.',
};
const FAULT_STATUS_MIN = 500;
const FAULT = "The provider has a fault. Look at the provider's status page.";

export async function reportOn(
  gateway: GatewayName,
  call: () => Promise<void>,
  success: string,
): Promise<GatewayReport> {
  try {
    await call();
    return { gateway, outcome: 'accepted', answer: 'accepted', meaning: success };
  } catch (error) {
    return { gateway, outcome: outcomeOf(error), ...explain(gateway, error) };
  }
}

function explain(name: GatewayName, error: unknown): Pick<GatewayReport, 'answer' | 'meaning'> {
  if (error instanceof GatewayError) {
    const { status, reason } = error;
    const meaning = GATEWAYS[name].meanings?.[reason] ?? meaningOfStatus(status);
    return { answer: [`status ${status}`, reason].filter(Boolean).join(', '), meaning };
  }
  if (!(error instanceof NoResponseError)) throw error;
  if (error.isTimeout) return { answer: 'none', meaning: SILENT };
  const isUnreachable = error.message.includes('no response');
  return { answer: error.message, meaning: isUnreachable ? UNREACHABLE : NOT_THE_SERVICE };
}

function meaningOfStatus(status: number): string {
  return MEANING_OF_STATUS[status] ?? (status >= FAULT_STATUS_MIN ? FAULT : UNKNOWN);
}

const SETTINGS_ACCEPTED = 'The provider accepts the settings. No message was sent.';

export function checkGateways(gateways: readonly Gateway[]): Promise<GatewayReport[]> {
  return Promise.all(
    gateways.flatMap(({ name, check }) =>
      check === null ? [] : [reportOn(name, check, SETTINGS_ACCEPTED)],
    ),
  );
}
