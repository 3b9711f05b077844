import type { GatewayDescription } from '#server/sms/gateway.ts';

/** The default, so that a fresh clone needs no gateway. */
export const description = { serviceUrl: null, keys: {} } satisfies GatewayDescription;
