import { callbackUrl, pattern } from '#server/environment/schema.ts';
import type { GatewayDescription } from '#server/adapter/sms/gateway.ts';
import { OPTIONAL_MESSAGE_TEXT } from '#server/adapter/sms/message-text.ts';

/** The operator's own gateway. */
export const description = {
  serviceUrl: null,
  keys: {
    SMS_WEBHOOK_URL: {
      schema: callbackUrl(),
      example: 'https://gateway.example.com/codes',
      help: 'the address that codes are posted to, see below',
    },
    SMS_WEBHOOK_SECRET: {
      schema: pattern(/^[\x21-\x7e]{32,1024}$/, 'must be at least 32 visible ASCII characters'),
      example: 'a-secret-of-at-least-32-characters',
      help: 'at least 32 characters, the key of the signature',
      isSecret: true,
    },
    SMS_TEXT: OPTIONAL_MESSAGE_TEXT,
  },
} satisfies GatewayDescription;
