import { GatewayError } from '#server/sms/gateway.ts';
import type { GatewayDependencies, GatewaySettings, SendText } from '#server/sms/gateway.ts';
import { textWithCode } from '#server/sms/message-text.ts';

import type { description } from './description.ts';

const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/i;

/** Twilio's Messages API. */
export function openGateway(
  { serviceUrl, keys }: GatewaySettings<typeof description.keys>,
  { httpClient }: GatewayDependencies,
): SendText {
  const { TWILIO_ACCOUNT_SID: account, TWILIO_AUTH_TOKEN: token, TWILIO_FROM: from } = keys;
  const sender = MESSAGING_SERVICE.test(from) ? 'MessagingServiceSid' : 'From';
  return async (phone, code) => {
    const form = { To: phone, [sender]: from, Body: textWithCode(keys.SMS_TEXT, code) };
    const answer = await httpClient({
      url: `${serviceUrl}/2010-04-01/Accounts/${account}/Messages.json`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
      },
      body: new URLSearchParams(form).toString(),
    });
    if (answer.status < 200 || answer.status > 299) {
      throw new GatewayError(`Twilio has not taken a message (status ${answer.status}).`, answer);
    }
  };
}
