import type { Clock } from '#server/clock.ts';
import type { ServiceSettingTable, ServiceValues } from '#server/environment/setting.ts';
import type { HttpClient } from '#server/http-client.ts';

/** The settings that a gateway needs. Plain data: it does not import the gateway. */
export interface GatewayDescription {
  /** The base URL of its calls unless SMS_SERVICE_URL is set; null if it has none. */
  readonly serviceUrl: string | null;
  readonly keys: ServiceSettingTable;
}

/** The values of a gateway's settings. */
export interface GatewaySettings<Keys extends ServiceSettingTable = ServiceSettingTable> {
  /** The base URL of its calls, without a slash at the end; '' if it has none. */
  readonly serviceUrl: string;
  readonly keys: ServiceValues<Keys>;
}

export interface GatewayDependencies {
  readonly httpClient: HttpClient;
  readonly clock: Clock;
}

/**
 * Sends a one-time code to a phone (E.164). Rejects with GatewayError or NoResponseError if the
 * gateway did not accept the message.
 */
export type SendText = (phone: string, code: string) => Promise<void>;

/** An entry of the table GATEWAYS. */
export interface GatewayEntry {
  readonly description: GatewayDescription;
  /** Imports the gateway. Only the configured one is loaded. */
  load(): Promise<{
    openGateway(settings: GatewaySettings, dependencies: GatewayDependencies): SendText;
  }>;
}

/** The gateway did not accept a message. It is logged, so it contains no phone, code or response. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
}
