import type { GatewayName } from '#server/settings/login-table.ts';

import { consoleGateway } from './console.ts';
import type { GatewayEntry } from './gateway.ts';
import { msg91Gateway } from './msg91.ts';
import { twilioGateway } from './twilio.ts';
import { webhookGateway } from './webhook.ts';
import { whatsappGateway } from './whatsapp.ts';

/** To add one: docs/recipes.md#gateway. */
export const GATEWAYS: Readonly<Record<GatewayName, GatewayEntry>> = {
  console: consoleGateway,
  webhook: webhookGateway,
  msg91: msg91Gateway,
  twilio: twilioGateway,
  whatsapp: whatsappGateway,
};
