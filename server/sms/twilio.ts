import { SECRET_KEY } from '#server/environment/key.ts';

import { GatewayError } from './gateway.ts';
import type { Gateway } from './gateway.ts';
import { MESSAGE_TEXT, textWithCode } from './text.ts';

const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/i;

/** Twilio's Messages. */
export const twilio: Gateway<
  'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN' | 'TWILIO_FROM' | 'SMS_TEXT'
> = {
  serviceUrl: 'https://api.twilio.com',
  keys: {
    TWILIO_ACCOUNT_SID: {
      pattern: /^AC[0-9a-f]{32}$/i,
      must: 'must be AC and 32 hexadecimal digits',
    },
    TWILIO_AUTH_TOKEN: SECRET_KEY,
    TWILIO_FROM: {
      pattern: /^(?:\+\d{8,15}|MG[0-9a-f]{32}|[A-Za-z0-9 ]{1,11})$/i,
      must: 'must be a phone such as +15005550006, a sender name, or the id of a messaging service',
    },
    SMS_TEXT: MESSAGE_TEXT,
  },

  open({ serviceUrl, keys }, { httpClient }) {
    const { TWILIO_ACCOUNT_SID: account, TWILIO_AUTH_TOKEN: token, TWILIO_FROM: from } = keys;
    const sender = MESSAGING_SERVICE.test(from) ? 'MessagingServiceSid' : 'From';
    return async (phone, code) => {
      const form = { To: phone, [sender]: from, Body: textWithCode(keys.SMS_TEXT, code) };
      const { status } = await httpClient({
        url: `${serviceUrl}/2010-04-01/Accounts/${account}/Messages.json`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
        },
        body: new URLSearchParams(form).toString(),
      });
      if (status < 200 || status > 299) {
        throw new GatewayError(`Twilio has not taken a message (status ${status}).`);
      }
    };
  },
};
