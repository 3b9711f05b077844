import type { GatewayDependencies, GatewayEntry, GatewaySettings, SendText } from './gateway.ts';
import { description as msg91 } from './msg91/description.ts';
import { description as twilio } from './twilio/description.ts';
import { description as webhook } from './webhook/description.ts';

/** By the values of SMS_GATEWAY. To add one: docs/recipes/gateway.md. */
export const GATEWAYS = {
  console: {
    description: { serviceUrl: null, keys: {} },
    load: () => import('./console/gateway.ts'),
  },
  webhook: { description: webhook, load: () => import('./webhook/gateway.ts') },
  msg91: { description: msg91, load: () => import('./msg91/gateway.ts') },
  twilio: { description: twilio, load: () => import('./twilio/gateway.ts') },
} satisfies Record<string, GatewayEntry>;

export type GatewayName = keyof typeof GATEWAYS;

export const GATEWAY_NAMES = Object.keys(GATEWAYS) as GatewayName[];

export async function openGateway(
  { smsGateway, gateway }: { smsGateway: GatewayName; gateway: GatewaySettings },
  dependencies: GatewayDependencies,
): Promise<SendText> {
  const entry: GatewayEntry = GATEWAYS[smsGateway];
  return (await entry.load()).openGateway(gateway, dependencies);
}
