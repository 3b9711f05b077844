import { pattern, serviceKey } from '#server/environment/schema.ts';
import type { GatewayDescription } from '#server/adapter/sms/gateway.ts';

export const description = {
  serviceUrl: 'https://control.msg91.com',
  keys: {
    MSG91_AUTH_KEY: {
      schema: serviceKey(),
      example: 'auth-key-1',
      help: "the account's key, which is secret",
      isSecret: true,
    },
    MSG91_TEMPLATE_ID: {
      schema: serviceKey(),
      example: 'template-1',
      help: "the flow's template",
    },
    MSG91_CODE_VARIABLE: {
      schema: pattern(
        /^(?!mobiles$)\w{1,64}$/,
        "must be the name of the template's variable, and not mobiles",
      ),
      example: 'otp',
      fallback: 'otp',
      help: "the template's variable for the code",
    },
  },
  meanings: {
    AuthenticationFailure: 'The auth key is wrong or was deleted (MSG91_AUTH_KEY).',
    '101': 'The number is missing.',
    '201': 'The auth key is wrong or was deleted (MSG91_AUTH_KEY).',
    '202': 'The number is not valid.',
    '203':
      'The header (sender id) is not registered, or the DLT entity id is missing in the panel.',
    '207': 'The auth key is wrong or was deleted (MSG91_AUTH_KEY).',
    '301': 'The balance is used up.',
    '311': 'The same message went to this number within 10 seconds.',
    '418': 'The address of this server is not on the list of allowed ones of the auth key.',
  },
} satisfies GatewayDescription;
