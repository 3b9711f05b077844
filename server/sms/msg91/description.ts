import { pattern, serviceKey } from '#server/environment/schema.ts';
import type { GatewayDescription } from '#server/sms/gateway.ts';

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
} satisfies GatewayDescription;
