import { createHmac } from 'node:crypto';

import { GatewayError } from './gateway.ts';
import type { Gateway } from './gateway.ts';
import { OPTIONAL_TEXT, textWithCode } from './text.ts';

const SECOND_MS = 1000;

/**
 * The operator's own gateway: POST JSON `{ phone, code, text? }`. `Webhook-Signature` is
 * `v1=` and the HMAC-SHA256, in hexadecimal and under the shared secret, of `Webhook-Timestamp`
 * (seconds), a dot, and the body as sent; so that nobody else can send, nor send again later.
 */
export const webhook: Gateway<'SMS_WEBHOOK_URL' | 'SMS_WEBHOOK_SECRET' | 'SMS_TEXT'> = {
  serviceUrl: null,
  keys: {
    SMS_WEBHOOK_URL: {
      pattern: /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:[/?][\x21-\x7e]*)?$/i,
      must: 'must be an http or https address without a password',
    },
    SMS_WEBHOOK_SECRET: {
      pattern: /^[\x21-\x7e]{32,1024}$/,
      must: 'must be at least 32 visible ASCII characters',
    },
    SMS_TEXT: OPTIONAL_TEXT,
  },

  open({ keys }, { httpClient, clock }) {
    return async (phone, code) => {
      const text = keys.SMS_TEXT === '' ? {} : { text: textWithCode(keys.SMS_TEXT, code) };
      const body = JSON.stringify({ phone, code, ...text });
      const timestamp = String(Math.floor(clock.now() / SECOND_MS));
      const { status } = await httpClient({
        url: keys.SMS_WEBHOOK_URL,
        headers: {
          'content-type': 'application/json',
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1=${sign(keys.SMS_WEBHOOK_SECRET, `${timestamp}.${body}`)}`,
        },
        body,
      });
      if (status < 200 || status > 299) {
        throw new GatewayError(`The webhook of SMS_WEBHOOK_URL answered with status ${status}.`);
      }
    };
  },
};

function sign(secret: string, signed: string): string {
  return createHmac('sha256', secret).update(signed).digest('hex');
}
