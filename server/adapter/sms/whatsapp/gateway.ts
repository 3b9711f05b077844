import * as z from 'zod/mini';

import { GatewayError } from '#server/adapter/sms/gateway.ts';
import type {
  CheckGateway,
  GatewayDependencies,
  GatewaySettings,
  SendText,
} from '#server/adapter/sms/gateway.ts';

import type { description } from './description.ts';

type Settings = GatewaySettings<typeof description.keys>;

/** A message that Meta holds back, or of a paused template, has another `message_status`. */
const message = z.object({
  id: z.string(),
  message_status: z.optional(z.literal('accepted')),
});
const acceptedSchema = z.object({ messages: z.array(message).check(z.minLength(1)) });
const numberSchema = z.object({ id: z.string() });

/** Meta's Cloud API: a template of the category authentication with a copy-code button. */
export function openGateway({ keys }: Settings, { httpClient }: GatewayDependencies): SendText {
  return async (phone, code) => {
    const parameters = [{ type: 'text', text: code }];
    const answer = await httpClient({
      url: `${numberUrl(keys)}/messages`,
      headers: { ...authorization(keys), 'content-type': 'application/json' },
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: phone.replace('+', ''),
        type: 'template',
        template: {
          name: keys.WHATSAPP_TEMPLATE,
          language: { code: keys.WHATSAPP_LANGUAGE },
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

/** Reads the sender's number. */
export function openCheck({ keys }: Settings, { httpClient }: GatewayDependencies): CheckGateway {
  return async () => {
    const answer = await httpClient({ url: numberUrl(keys), headers: authorization(keys) });
    if (answer.status !== 200 || !numberSchema.safeParse(answer.content).success) {
      throw new GatewayError(
        `WhatsApp has rejected the settings (status ${answer.status}).`,
        answer,
      );
    }
  };
}

const numberUrl = (keys: Settings['keys']) =>
  `${keys.WHATSAPP_API_URL}/${keys.WHATSAPP_PHONE_NUMBER_ID}`;

const authorization = (keys: Settings['keys']) => ({
  authorization: `Bearer ${keys.WHATSAPP_TOKEN}`,
});
