import type { Clock } from '#server/clock.ts';
import type { HttpClient } from '#server/http/client.ts';
import type { Keys, KeyValues } from '#server/environment/key.ts';

/** Hands a one-time code to a phone (E.164). Rejects where the gateway has not taken it. */
type SendText = (phone: string, code: string) => Promise<void>;

/** What the environment says of the gateway that was chosen. */
export interface GatewaySettings<Name extends string = string> {
  /** The base of its calls; no slash at the end. */
  readonly serviceUrl: string;
  readonly keys: KeyValues<Name>;
}

/** A way to deliver text messages: what it needs, and how it is opened. */
export interface Gateway<Name extends string = string> {
  /** Where it is asked unless SMS_SERVICE_URL says otherwise; null where it has no such base. */
  readonly serviceUrl: string | null;
  readonly keys: Keys<Name>;
  open(settings: GatewaySettings<Name>, means: { httpClient: HttpClient; clock: Clock }): SendText;
}

/** The gateway has not taken a message. Goes to the log: no phone, no code, nothing it answered. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
}
