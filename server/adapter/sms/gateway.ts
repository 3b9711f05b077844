import * as z from 'zod/mini';

import type { Clock } from '#server/clock.ts';
import type { HttpClient, HttpResponse } from '#server/adapter/http-client.ts';
import type { Settings } from '#server/settings/settings.ts';

export interface GatewayDependencies {
  readonly httpClient: HttpClient;
  readonly clock: Clock;
}

const PLACEHOLDER = '{code}';

export const textWithCode = (text: string, code: string) => text.replaceAll(PLACEHOLDER, code);

/**
 * Sends a code to a phone in E.164, or to its sign-in email. Throws GatewayError or NoResponseError if it is
 * not accepted.
 */
export type SendText = (phone: string, code: string, email?: string | null) => Promise<void>;

export type CheckGateway = () => Promise<void>;

export interface GatewayEntry {
  readonly openGateway: (settings: Settings, dependencies: GatewayDependencies) => SendText;
  readonly openCheck?: (settings: Settings, dependencies: GatewayDependencies) => CheckGateway;
  /** Explains the service's own words and numbers for an error to the operator (docs/operate/sms.md). */
  readonly meanings?: Readonly<Record<string, string>>;
}

/** Contains no phone, code or response, because it is logged. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly status: number;
  /** The service's own number or words for the error, as in `meanings`, or ''. */
  reason: string;

  constructor(message: string, { status, content }: HttpResponse) {
    super(message);
    this.status = status;
    this.reason = reasonOf(content);
  }
}

/** Throws GatewayError unless the service has accepted the request. */
export function requireAccepted(service: string, answer: HttpResponse, isAccepted: boolean): void {
  if (isAccepted) return;
  throw new GatewayError(
    `${service} has not accepted a request (status ${answer.status}).`,
    answer,
  );
}

const REASON_LENGTH_MAX = 80;
const reasonSchema = z.object({
  error: z.optional(z.object({ code: z.int() })),
  code: z.optional(z.union([z.int(), z.string()])),
  error_code: z.nullish(z.int()),
  message: z.optional(z.string()),
});

/** Leaves out the numbers of a sentence, because it can repeat what was sent. */
function reasonOf(content: unknown): string {
  const { error, message = '', ...given } = reasonSchema.safeParse(content).data ?? {};
  const number = String(error?.code ?? given.code ?? given.error_code ?? '');
  if (/^\d{1,7}$/.test(number)) return number;
  return message.replace(/\d[\d ()+.-]*\d/g, '…').slice(0, REASON_LENGTH_MAX);
}
