import type { GatewayName } from '#server/settings/login-table.ts';

import type { GatewayEntry, SendText } from './gateway.ts';
import { msg91Gateway } from './msg91.ts';
import { twilioGateway } from './twilio.ts';
import { webhookGateway } from './webhook.ts';
import { whatsappGateway } from './whatsapp.ts';

const printCode: SendText = (phone, code) =>
  new Promise((resolve, reject) => {
    process.stdout.write(`OTP ${phone} ${code}\n`, (error) => (error ? reject(error) : resolve()));
  });

/** To add one: docs/recipes.md#gateway. */
export const GATEWAYS: Readonly<Record<GatewayName, GatewayEntry>> = {
  console: { openGateway: () => printCode },
  webhook: webhookGateway,
  msg91: msg91Gateway,
  twilio: twilioGateway,
  whatsapp: whatsappGateway,
};
