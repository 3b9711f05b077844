import * as z from 'zod/mini';

import { GatewayError } from '#server/adapter/sms/gateway.ts';
import type {
  CheckGateway,
  GatewayDependencies,
  GatewaySettings,
  SendText,
} from '#server/adapter/sms/gateway.ts';
import { textWithCode } from '#server/adapter/sms/message-text.ts';

import type { description } from './description.ts';

const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/i;

type Settings = GatewaySettings<typeof description.keys>;

/** Twilio's Messages API. */
export function openGateway(settings: Settings, { httpClient }: GatewayDependencies): SendText {
  const { keys } = settings;
  const { TWILIO_FROM: from } = keys;
  const sender = MESSAGING_SERVICE.test(from) ? 'MessagingServiceSid' : 'From';
  return async (phone, code) => {
    const form = { To: phone, [sender]: from, Body: textWithCode(keys.SMS_TEXT, code) };
    const answer = await httpClient({
      url: `${accountUrl(settings)}/Messages.json`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...authorization(settings),
      },
      body: new URLSearchParams(form).toString(),
    });
    if (answer.status < 200 || answer.status > 299) {
      throw new GatewayError(`Twilio has not taken a message (status ${answer.status}).`, answer);
    }
  };
}

const NOT_ACTIVE = 'account not active';
const accountSchema = z.object({ status: z.literal('active') });

/** Reads the account. */
export function openCheck(settings: Settings, { httpClient }: GatewayDependencies): CheckGateway {
  return async () => {
    const headers = authorization(settings);
    const answer = await httpClient({ url: `${accountUrl(settings)}.json`, headers });
    if (accountSchema.safeParse(answer.content).success) return;
    const content = answer.status === 200 ? { message: NOT_ACTIVE } : answer.content;
    throw new GatewayError(`Twilio has rejected the settings (status ${answer.status}).`, {
      status: answer.status,
      content,
    });
  };
}

const accountUrl = ({ serviceUrl, keys }: Settings) =>
  `${serviceUrl}/2010-04-01/Accounts/${keys.TWILIO_ACCOUNT_SID}`;

function authorization({ keys }: Settings) {
  const credentials = `${keys.TWILIO_ACCOUNT_SID}:${keys.TWILIO_AUTH_TOKEN}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
