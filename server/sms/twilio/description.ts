import { pattern, serviceKey } from '#server/environment/schema.ts';
import type { GatewayDescription } from '#server/sms/gateway.ts';
import { MESSAGE_TEXT } from '#server/sms/message-text.ts';

export const description = {
  serviceUrl: 'https://api.twilio.com',
  keys: {
    TWILIO_ACCOUNT_SID: {
      schema: pattern(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hexadecimal digits'),
      example: 'AC00000000000000000000000000000000',
      help: 'the id of the account',
    },
    TWILIO_AUTH_TOKEN: {
      schema: serviceKey(),
      example: 'auth-token-1',
      help: "the account's secret",
      isSecret: true,
    },
    TWILIO_FROM: {
      schema: pattern(
        /^(?:\+\d{8,15}|MG[0-9a-f]{32}|[A-Za-z0-9 ]{1,11})$/i,
        'must be a phone such as +15005550006, a sender name, or the id of a messaging service',
      ),
      example: '+15005550006',
      help: 'the sender: a phone, a name, or the id of a messaging service (`MG…`)',
    },
    SMS_TEXT: MESSAGE_TEXT,
  },
} satisfies GatewayDescription;
