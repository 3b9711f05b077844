import * as z from 'zod/mini';

import type { Clock } from '#server/clock.ts';
import type { HttpClient, HttpResponse } from '#server/adapter/client/http-client.ts';
import type { Settings } from '#server/settings/settings.ts';

export interface GatewayDependencies {
  readonly httpClient: HttpClient;
  readonly clock: Clock;
}

const PLACEHOLDER = '{code}';

export const textWithCode = (text: string, code: string) => text.replaceAll(PLACEHOLDER, code);

/** To a phone in E.164. Throws GatewayError or NoResponseError for a message that is not accepted. */
export type SendText = (phone: string, code: string) => Promise<void>;

export type CheckGateway = () => Promise<void>;

export interface GatewayEntry {
  readonly openGateway: (settings: Settings, dependencies: GatewayDependencies) => SendText;
  readonly openCheck?: (settings: Settings, dependencies: GatewayDependencies) => CheckGateway;
  /** What the service's own words and numbers for an error mean, for the operator (docs/sms.md). */
  readonly meanings?: Readonly<Record<string, string>>;
}

/** Is logged, so it contains no phone, code or response. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly status: number;
  /** The service's own number or words for it, as in `meanings`; '' without one. */
  reason: string;

  constructor(message: string, { status, content }: HttpResponse) {
    super(message);
    this.status = status;
    this.reason = reasonOf(content);
  }
}

const REASON_LENGTH_MAX = 80;
const reasonSchema = z.object({
  error: z.optional(z.object({ code: z.int() })),
  code: z.optional(z.union([z.int(), z.string()])),
  message: z.optional(z.string()),
});

/** A sentence can repeat what was sent, so its numbers are left out. */
function reasonOf(content: unknown): string {
  const { error, code, message = '' } = reasonSchema.safeParse(content).data ?? {};
  const number = String(error?.code ?? code ?? '');
  if (/^\d{1,7}$/.test(number)) return number;
  return message.replace(/\d[\d ()+.-]*\d/g, '…').slice(0, REASON_LENGTH_MAX);
}
