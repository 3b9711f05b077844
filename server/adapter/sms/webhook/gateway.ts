import { postSigned } from '#server/adapter/client/signed-webhook.ts';
import { GatewayError } from '#server/adapter/sms/gateway.ts';
import type {
  GatewayDependencies,
  GatewaySettings,
  SendText,
} from '#server/adapter/sms/gateway.ts';
import { textWithCode } from '#server/adapter/sms/message-text.ts';

import type { description } from './description.ts';

/** Posts JSON with a signature: docs/settings.md#the-webhook-for-text-messages. */
export function openGateway(
  { keys }: GatewaySettings<typeof description.keys>,
  { httpClient, clock }: GatewayDependencies,
): SendText {
  return async (phone, code) => {
    const text = keys.SMS_TEXT === '' ? {} : { text: textWithCode(keys.SMS_TEXT, code) };
    const body = JSON.stringify({ phone, code, ...text });
    const { SMS_WEBHOOK_URL: url, SMS_WEBHOOK_SECRET: secret } = keys;
    const answer = await postSigned({ httpClient, clock }, { url, secret, body });
    if (answer.status < 200 || answer.status > 299) {
      throw new GatewayError(
        `The webhook of SMS_WEBHOOK_URL answered with status ${answer.status}.`,
        answer,
      );
    }
  };
}
