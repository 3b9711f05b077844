import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Logger } from 'pino';

import { REDIRECTED } from '#server/adapter/http-client.ts';
import { NoResponseError, TOO_LARGE } from '#server/adapter/outside/exchange.ts';
import type { GatewayName } from '#server/settings/login-table.ts';
import type { Settings } from '#server/settings/settings.ts';

import { emailGateway } from './email.ts';
import { GatewayError } from './gateway.ts';
import type { CheckGateway, GatewayDependencies, GatewayEntry, SendText } from './gateway.ts';
import { msg91Gateway } from './msg91.ts';
import { twilioGateway } from './twilio.ts';
import { webhookGateway } from './webhook.ts';
import { whatsappGateway } from './whatsapp.ts';

const printCode: SendText = (phone, code) =>
  new Promise((resolve, reject) => {
    process.stdout.write(`OTP ${phone} ${code}\n`, (error) => (error ? reject(error) : resolve()));
  });

/** docs/develop/recipes.md#gateway describes how to add a gateway. */
export const GATEWAYS: Readonly<Record<GatewayName, GatewayEntry>> = {
  console: { openGateway: () => printCode },
  webhook: webhookGateway,
  msg91: msg91Gateway,
  twilio: twilioGateway,
  whatsapp: whatsappGateway,
  email: emailGateway,
};

/** A silent gateway did not answer in time, so the message may have been delivered. */
export type Outcome = 'accepted' | 'refused' | 'silent';

export type SendOptions = Partial<Pick<Recipient, 'email' | 'byNext'>>;

/**
 * Resolves when a gateway has accepted a one-time code for a phone (E.164), or may have. Names the one that
 * has accepted it, unless another one may have delivered the code too.
 */
export type SendCode = (
  phone: string,
  code: string,
  options?: SendOptions,
) => Promise<GatewayName | void>;

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
      send: (phone, code, email) =>
        send(phone, code, email).catch((error: unknown) => {
          // A service may return what was sent, and `code` is also a name for an error.
          if (error instanceof GatewayError && error.reason.includes(code)) error.reason = '';
          throw error;
        }),
      check: openCheck?.(settings, dependencies) ?? null,
    };
  });
}

/** The second gateway gets the same code if the first refuses it or is silent (docs/develop/security.md#sms-gateways). */
export function openDelivery(
  settings: Settings,
  { log, ...dependencies }: GatewayDependencies & { readonly log: Logger },
): SendCode {
  const gateways = openGateways(settings, dependencies);
  const isList = gateways.length > 1;
  return async (phone, code, { byNext = false, email = null } = {}) => {
    const names = servingGateways(settings, { phone, email, byNext });
    const serving = gateways.filter(({ name }) => names.includes(name));
    let error: unknown = new Error('No gateway of SMS_GATEWAY serves this number.');
    let isPerhapsSent = false;
    for (const { name, send } of serving) {
      try {
        await send(phone, code, email);
        return isPerhapsSent ? undefined : name;
      } catch (cause) {
        error = cause;
        const outcome = outcomeOf(cause);
        // With a single gateway, the caller logs a rejected message. A silent gateway does not count as a
        // failure there.
        if (!isList && outcome !== 'silent') continue;
        // If only one gateway serves the number, its silence counts as it does for a single gateway.
        isPerhapsSent ||= outcome === 'silent' && (byNext || serving.length > 1);
        const reason = cause instanceof GatewayError ? cause.reason : undefined;
        const event = { event: 'gateway_failed', gateway: name, outcome, reason, err: cause };
        log.warn(event, 'a gateway has not taken a one-time code');
      }
    }
    if (!isPerhapsSent) throw error;
    return undefined;
  };
}

export function outcomeOf(error: unknown): Outcome {
  return error instanceof NoResponseError && error.isTimeout ? 'silent' : 'refused';
}

interface Recipient {
  readonly phone: string;
  /** The sign-in email, or null if there is none. */
  readonly email: string | null;
  readonly byNext?: boolean;
}

export type ReachSettings = Pick<Settings, 'smsGateway' | 'whatsappCountries'>;

/** Returns the gateways that serve a phone, in the order in which they are asked. */
export function servingGateways(
  { smsGateway, whatsappCountries }: ReachSettings,
  { phone, email, byNext = false }: Recipient,
): GatewayName[] {
  return smsGateway.slice(byNext ? 1 : 0).filter((name) => {
    if (name === 'email') return email !== null;
    if (name !== 'whatsapp') return true;
    // WhatsApp's price for a foreign number is up to twenty times that of one of its own country.
    return whatsappCountries.includes(parsePhoneNumberFromString(phone)?.country ?? '');
  });
}

/**
 * Returns whether a code for this phone goes by WhatsApp or email first and another gateway can follow.
 * Without a phone, whether this holds for some phone.
 */
export function hasNextGateway(settings: ReachSettings, phone?: string): boolean {
  const [first, second] = settings.smsGateway;
  if (second === undefined) return false;
  if (first !== 'email' && first !== 'whatsapp') return false;
  return phone === undefined || servingGateways(settings, { phone, email: '' })[0] === first;
}

/**
 * Names the ways that a code can take, if email is one of them: 'email', 'whatsapp-email' or 'email-sms'.
 * They are the same for a phone with and one without a sign-in email.
 */
export function waysOf(settings: ReachSettings, phone: string, byNext: boolean) {
  const names = servingGateways(settings, { phone, email: '', byNext });
  if (!names.includes('email')) return {};
  const ways = names.map((name) => (name === 'email' || name === 'whatsapp' ? name : 'sms'));
  return { sentBy: ways.join('-') };
}

export interface GatewayReport {
  readonly gateway: GatewayName | 'oidc';
  readonly outcome: Outcome;
  readonly answer: string;
  readonly meaning: string;
}

const NOT_THE_SERVICE =
  'This is not an answer of the provider. Check SMS_SERVICE_URL or WHATSAPP_API_URL, and a proxy in between.';
const UNREACHABLE =
  'The provider cannot be reached. Check the name service, the firewall for outgoing connections, and the certificate of the provider.';
const SILENT =
  "The provider has not answered in 5 s. The message may still come; look at the provider's status page.";
const UNKNOWN =
  "Look the answer up in the provider's documentation (docs/operate/sms.md has the links).";

/** Explains answers that have no entry in the gateway's `meanings`. */
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
  const isAnswered = [REDIRECTED, TOO_LARGE].includes(error.reason);
  return { answer: error.message, meaning: isAnswered ? NOT_THE_SERVICE : UNREACHABLE };
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
