import { pattern, serviceKey, serviceUrl } from '#server/environment/schema.ts';
import type { GatewayDescription } from '#server/adapter/sms/gateway.ts';

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
} satisfies GatewayDescription;
