import * as z from 'zod/mini';

import type { Settings } from '#server/settings/settings.ts';

import { requireAccepted } from './gateway.ts';
import type { CheckGateway, GatewayDependencies, GatewayEntry, SendText } from './gateway.ts';

/** If Meta holds a message back or has paused its template, `message_status` has another value. */
const message = z.object({
  id: z.string(),
  message_status: z.optional(z.literal('accepted')),
});
const acceptedSchema = z.object({ messages: z.array(message).check(z.minLength(1)) });
const numberSchema = z.object({ id: z.string() });

export const whatsappGateway: GatewayEntry = {
  openGateway,
  openCheck,
  meanings: {
    '0': 'The token has expired or was withdrawn (WHATSAPP_TOKEN).',
    '10': 'The token lacks whatsapp_business_messaging, or the system user has no access to the account.',
    '33': "The sender's number was deleted at Meta (WHATSAPP_PHONE_NUMBER_ID).",
    '100':
      "WHATSAPP_PHONE_NUMBER_ID is not the id of a number that this token may use, or the template's button is not a copy-code button.",
    '190': 'The token has expired or was withdrawn (WHATSAPP_TOKEN).',
    '368': 'Meta has blocked the business for a breach of its policies.',
    '130429': 'Too many messages at once.',
    '131026': 'The number is not on WhatsApp, or its app is too old.',
    '131031': 'Meta has locked the account.',
    '131042': 'The payment method of the business is missing or was declined.',
    '131048': 'Meta has limited the number because recipients blocked or reported it.',
    '131056': 'Too many messages to this number in a short time.',
    '132000': 'The template has not exactly one variable in its body.',
    '132001':
      'The template does not exist in this language, or is not approved yet (WHATSAPP_TEMPLATE, WHATSAPP_LANGUAGE).',
    '132015': 'Meta has paused the template because of its quality.',
    '132016': 'Meta has disabled the template because of its quality.',
    '133010': "The sender's number is not registered for the Cloud API.",
  },
};

/** Calls Meta's Cloud API with a template of the category authentication, which has a copy-code button. */
function openGateway(settings: Settings, { httpClient }: GatewayDependencies): SendText {
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
    const { success } = acceptedSchema.safeParse(answer.content);
    requireAccepted('WhatsApp', answer, answer.status === 200 && success);
  };
}

function openCheck(settings: Settings, { httpClient }: GatewayDependencies): CheckGateway {
  return async () => {
    const answer = await httpClient({ url: numberUrl(settings), headers: authorization(settings) });
    const { success } = numberSchema.safeParse(answer.content);
    requireAccepted('WhatsApp', answer, answer.status === 200 && success);
  };
}

const numberUrl = ({ whatsappApiUrl, whatsappPhoneNumberId }: Settings) =>
  `${whatsappApiUrl}/${whatsappPhoneNumberId}`;

const authorization = ({ whatsappToken }: Settings) => ({
  authorization: `Bearer ${whatsappToken}`,
});
