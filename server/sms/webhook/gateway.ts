import { createHmac } from 'node:crypto';

import { SECOND_MS } from '#domain/duration.ts';
import { GatewayError } from '#server/sms/gateway.ts';
import type { GatewayDependencies, GatewaySettings, SendText } from '#server/sms/gateway.ts';
import { textWithCode } from '#server/sms/message-text.ts';

import type { description } from './description.ts';

/** Posts JSON with a signature: docs/settings.md#the-webhook-for-text-messages. */
export function openGateway(
  { keys }: GatewaySettings<typeof description.keys>,
  { httpClient, clock }: GatewayDependencies,
): SendText {
  return async (phone, code) => {
    const text = keys.SMS_TEXT === '' ? {} : { text: textWithCode(keys.SMS_TEXT, code) };
    const body = JSON.stringify({ phone, code, ...text });
    const timestamp = String(Math.floor(clock.now() / SECOND_MS));
    // The timestamp is signed too, so that a copied message cannot be sent again later.
    const signature = createHmac('sha256', keys.SMS_WEBHOOK_SECRET)
      .update(`${timestamp}.${body}`)
      .digest('hex');
    const answer = await httpClient({
      url: keys.SMS_WEBHOOK_URL,
      headers: {
        'content-type': 'application/json',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1=${signature}`,
      },
      body,
    });
    if (answer.status < 200 || answer.status > 299) {
      throw new GatewayError(
        `The webhook of SMS_WEBHOOK_URL answered with status ${answer.status}.`,
        answer,
      );
    }
  };
}
