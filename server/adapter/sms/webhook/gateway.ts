import { postSigned } from '#server/adapter/client/signed-webhook.ts';
import { GatewayError, textWithCode } from '#server/adapter/sms/gateway.ts';
import type { GatewayDependencies, SendText } from '#server/adapter/sms/gateway.ts';
import type { Settings } from '#server/settings/settings.ts';

/** Posts JSON with a signature: docs/settings.md#the-webhook-for-text-messages. */
export function openGateway(
  settings: Pick<Settings, 'smsText' | 'smsWebhookUrl' | 'smsWebhookSecret'>,
  { httpClient, clock }: GatewayDependencies,
): SendText {
  return async (phone, code) => {
    const { smsText, smsWebhookUrl: url, smsWebhookSecret: secret } = settings;
    const text = smsText === '' ? {} : { text: textWithCode(smsText, code) };
    const body = JSON.stringify({ phone, code, ...text });
    const answer = await postSigned({ httpClient, clock }, { url, secret, body });
    if (answer.status < 200 || answer.status > 299) {
      throw new GatewayError(
        `The webhook of SMS_WEBHOOK_URL answered with status ${answer.status}.`,
        answer,
      );
    }
  };
}
