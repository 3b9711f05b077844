import { pattern, serviceKey } from '#server/environment/schema.ts';
import type { GatewayDescription } from '#server/adapter/sms/gateway.ts';
import { MESSAGE_TEXT } from '#server/adapter/sms/message-text.ts';

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
  meanings: {
    'account not active': 'The account is suspended or closed.',
    '20003': 'The account SID or the auth token is wrong, or the account is suspended or closed.',
    '20429': 'Too many messages at once.',
    '21211': 'The number is not valid.',
    '21408': "The account may not send to this country; allow it in the console's geo permissions.",
    '21606': 'TWILIO_FROM is not a number of this account that can send text messages.',
    '21608': 'A trial account sends to verified numbers only.',
    '21610': 'The owner of this number has stopped messages from this sender.',
    '21614': 'The number is no mobile number.',
  },
} satisfies GatewayDescription;
