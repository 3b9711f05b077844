import { consoleGateway } from './console.ts';
import type { Gateway } from './gateway.ts';
import { msg91 } from './msg91.ts';
import { twilio } from './twilio.ts';
import { webhook } from './webhook.ts';

const console: Gateway = { serviceUrl: null, keys: {}, open: () => consoleGateway };

/** Every way in which the embedded provider delivers its codes. */
export const GATEWAYS = { console, webhook, msg91, twilio } satisfies Record<string, Gateway>;

export const GATEWAY_KINDS = Object.keys(GATEWAYS) as (keyof typeof GATEWAYS)[];
