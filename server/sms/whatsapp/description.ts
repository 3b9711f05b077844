import { pattern, serviceKey, serviceUrl } from '#server/environment/schema.ts';
import type { GatewayDescription } from '#server/sms/gateway.ts';

export const description = {
  // Its own setting, because a second gateway can have SMS_SERVICE_URL.
  serviceUrl: null,
  keys: {
    WHATSAPP_PHONE_NUMBER_ID: {
      schema: pattern(
        /^\d{5,20}$/,
        "must be Meta's id of the sender's number, which is digits only",
      ),
      example: '106540352242922',
      help: "Meta's id of the sender's number, which is not the number itself ([sms.md](sms.md#whatsapp))",
    },
    WHATSAPP_TOKEN: {
      schema: serviceKey(),
      example: 'whatsapp-token-1',
      help: 'the access token of a system user, with `whatsapp_business_messaging`',
      isSecret: true,
    },
    WHATSAPP_TEMPLATE: {
      schema: pattern(/^[a-z0-9_]{1,512}$/, 'must be lower-case letters, digits and underscores'),
      example: 'login_code',
      help: 'the name of an approved template of the category authentication with a copy-code button',
    },
    WHATSAPP_LANGUAGE: {
      schema: pattern(/^[a-z]{2,3}(?:_[A-Z]{2,3})?$/, 'must be a language such as en or en_US'),
      example: 'en_US',
      fallback: 'en',
      help: "the template's language, as Meta writes it: `en`, `en_US`, `hi`",
    },
    WHATSAPP_API_URL: {
      schema: serviceUrl(),
      example: 'https://graph.facebook.com/v23.0',
      fallback: 'https://graph.facebook.com/v23.0',
      help: "the base of the calls to Meta's Cloud API, with its version. https, or http on this machine",
    },
  },
} satisfies GatewayDescription;
