import type { GatewayEntry, GatewaySettings } from './gateway.ts';
import { description as msg91 } from './msg91/description.ts';
import { description as twilio } from './twilio/description.ts';
import { description as webhook } from './webhook/description.ts';
import { description as whatsapp } from './whatsapp/description.ts';

/** By the values of SMS_GATEWAY. To add one: docs/recipes/gateway.md. */
export const GATEWAYS = {
  console: {
    description: { serviceUrl: null, keys: {} },
    load: () => import('./console/gateway.ts'),
  },
  webhook: { description: webhook, load: () => import('./webhook/gateway.ts') },
  msg91: { description: msg91, load: () => import('./msg91/gateway.ts') },
  twilio: { description: twilio, load: () => import('./twilio/gateway.ts') },
  whatsapp: { description: whatsapp, load: () => import('./whatsapp/gateway.ts') },
} satisfies Record<string, GatewayEntry>;

export type GatewayName = keyof typeof GATEWAYS;

export const GATEWAY_NAMES = Object.keys(GATEWAYS) as GatewayName[];

/** SMS_GATEWAY and WHATSAPP_COUNTRIES. */
export interface DeliverySettings {
  /** One, or two in the order in which they are asked. */
  readonly gateways: readonly (GatewaySettings & { readonly name: GatewayName })[];
  readonly whatsappCountries: readonly string[];
}

type Gateways = { readonly gateways: readonly { readonly name: GatewayName }[] };

/** WhatsApp without a second gateway. */
export function isWhatsappAlone({ gateways }: Gateways): boolean {
  return gateways.length === 1 && gateways[0]?.name === 'whatsapp';
}

/** Whether messages are counted by gateway: not for a single gateway for text messages. */
export function isWatched({ gateways }: Gateways): boolean {
  return gateways.length > 1 || gateways[0]?.name === 'whatsapp';
}
