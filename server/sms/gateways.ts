import { description as console } from './console/description.ts';
import type { GatewayDependencies, GatewayEntry, GatewaySettings, SendText } from './gateway.ts';
import { description as msg91 } from './msg91/description.ts';
import { description as twilio } from './twilio/description.ts';
import { description as webhook } from './webhook/description.ts';

/** Every gateway, by its value of SMS_GATEWAY. To add one: docs/recipes/gateway.md. */
export const GATEWAYS = {
  console: { description: console, load: () => import('./console/gateway.ts') },
  webhook: { description: webhook, load: () => import('./webhook/gateway.ts') },
  msg91: { description: msg91, load: () => import('./msg91/gateway.ts') },
  twilio: { description: twilio, load: () => import('./twilio/gateway.ts') },
} satisfies Record<string, GatewayEntry>;

export type GatewayName = keyof typeof GATEWAYS;

export const GATEWAY_NAMES = Object.keys(GATEWAYS) as GatewayName[];

/** Opens the configured gateway. */
export async function openGateway(
  { smsGateway, gateway }: { smsGateway: GatewayName; gateway: GatewaySettings },
  dependencies: GatewayDependencies,
): Promise<SendText> {
  const entry: GatewayEntry = GATEWAYS[smsGateway];
  return (await entry.load()).openGateway(gateway, dependencies);
}
