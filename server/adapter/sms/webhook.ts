import { createHmac } from 'node:crypto';

import { SECOND_MS } from '#domain/duration.ts';
import { isSuccess } from '#server/adapter/outside/exchange.ts';
import type { Settings } from '#server/settings/settings.ts';

import { requireAccepted, textWithCode } from './gateway.ts';
import type { GatewayDependencies, GatewayEntry, SendText } from './gateway.ts';

export const webhookGateway: GatewayEntry = { openGateway };

/** Posts signed JSON (docs/operate/settings.md#the-webhook-for-text-messages). */
function openGateway(settings: Settings, { httpClient, clock }: GatewayDependencies): SendText {
  return async (phone, code) => {
    const { smsText, smsWebhookUrl: url, smsWebhookSecret: secret } = settings;
    const text = smsText === '' ? {} : { text: textWithCode(smsText, code) };
    const body = JSON.stringify({ phone, code, ...text });
    const timestamp = String(Math.floor(clock.now() / SECOND_MS));
    // The timestamp is signed too, so that a copied message cannot be sent again later.
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    const answer = await httpClient({
      url,
      headers: {
        'content-type': 'application/json',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1=${signature}`,
      },
      body,
    });
    requireAccepted('The webhook of SMS_WEBHOOK_URL', answer, isSuccess(answer.status));
  };
}
