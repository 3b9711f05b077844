import type { Clock } from '#server/clock.ts';
import type { ServiceSettingTable, ServiceValues } from '#server/environment/setting.ts';
import type { HttpClient } from '#server/client/http-client.ts';

/** Plain data. */
export interface GatewayDescription {
  /** The default of SMS_SERVICE_URL; null for a gateway without a URL. */
  readonly serviceUrl: string | null;
  readonly keys: ServiceSettingTable;
}

export interface GatewaySettings<Keys extends ServiceSettingTable = ServiceSettingTable> {
  /** '' for a gateway without a URL. */
  readonly serviceUrl: string;
  readonly keys: ServiceValues<Keys>;
}

export interface GatewayDependencies {
  readonly httpClient: HttpClient;
  readonly clock: Clock;
}

/** To a phone in E.164. Throws GatewayError or NoResponseError for a message that is not accepted. */
export type SendText = (phone: string, code: string) => Promise<void>;

export interface GatewayEntry {
  readonly description: GatewayDescription;
  /** Called for the configured gateway only. */
  load(): Promise<{
    openGateway(settings: GatewaySettings, dependencies: GatewayDependencies): SendText;
  }>;
}

/** Is logged, so it contains no phone, code or response. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
}
