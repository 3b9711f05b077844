import type { GatewayDescription } from '#server/sms/gateway.ts';

/** The default gateway: it needs no configuration. */
export const description = { serviceUrl: null, keys: {} } satisfies GatewayDescription;
