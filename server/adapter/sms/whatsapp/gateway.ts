import * as z from 'zod/mini';

import { GatewayError } from '#server/adapter/sms/gateway.ts';
import type { CheckGateway, GatewayDependencies, SendText } from '#server/adapter/sms/gateway.ts';
import type { Settings } from '#server/settings/settings.ts';

type WhatsappSettings = Pick<
  Settings,
  | 'whatsappApiUrl'
  | 'whatsappPhoneNumberId'
  | 'whatsappToken'
  | 'whatsappTemplate'
  | 'whatsappLanguage'
>;

/** A message that Meta holds back, or of a paused template, has another `message_status`. */
const message = z.object({
  id: z.string(),
  message_status: z.optional(z.literal('accepted')),
});
const acceptedSchema = z.object({ messages: z.array(message).check(z.minLength(1)) });
const numberSchema = z.object({ id: z.string() });

/** Meta's Cloud API: a template of the category authentication with a copy-code button. */
export function openGateway(
  settings: WhatsappSettings,
  { httpClient }: GatewayDependencies,
): SendText {
  return async (phone, code) => {
    const parameters = [{ type: 'text', text: code }];
    const answer = await httpClient({
      url: `${numberUrl(settings)}/messages`,
      headers: { ...authorization(settings), 'content-type': 'application/json' },
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: phone.replace('+', ''),
        type: 'template',
        template: {
          name: settings.whatsappTemplate,
          language: { code: settings.whatsappLanguage },
          components: [
            { type: 'body', parameters },
            { type: 'button', sub_type: 'url', index: '0', parameters },
          ],
        },
      }),
    });
    if (answer.status !== 200 || !acceptedSchema.safeParse(answer.content).success) {
      throw new GatewayError(`WhatsApp has not taken a message (status ${answer.status}).`, answer);
    }
  };
}

export function openCheck(
  settings: WhatsappSettings,
  { httpClient }: GatewayDependencies,
): CheckGateway {
  return async () => {
    const answer = await httpClient({ url: numberUrl(settings), headers: authorization(settings) });
    if (answer.status !== 200 || !numberSchema.safeParse(answer.content).success) {
      throw new GatewayError(
        `WhatsApp has rejected the settings (status ${answer.status}).`,
        answer,
      );
    }
  };
}

const numberUrl = ({ whatsappApiUrl, whatsappPhoneNumberId }: WhatsappSettings) =>
  `${whatsappApiUrl}/${whatsappPhoneNumberId}`;

const authorization = ({ whatsappToken }: WhatsappSettings) => ({
  authorization: `Bearer ${whatsappToken}`,
});
