import { NoResponseError } from '#server/adapter/client/http-client.ts';
import type { GatewayName } from '#server/settings/login-table.ts';

import { outcomeOf } from './delivery.ts';
import type { Gateway, Outcome } from './delivery.ts';
import { GatewayError } from './gateway.ts';
import { GATEWAYS } from './gateways.ts';

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
