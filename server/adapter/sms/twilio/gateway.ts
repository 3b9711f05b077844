import * as z from 'zod/mini';

import { GatewayError, textWithCode } from '#server/adapter/sms/gateway.ts';
import type { CheckGateway, GatewayDependencies, SendText } from '#server/adapter/sms/gateway.ts';
import type { Settings } from '#server/settings/settings.ts';

const SERVICE_URL = 'https://api.twilio.com';
const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/i;

type TwilioSettings = Pick<
  Settings,
  'smsServiceUrl' | 'smsText' | 'twilioAccountSid' | 'twilioAuthToken' | 'twilioFrom'
>;

export function openGateway(
  settings: TwilioSettings,
  { httpClient }: GatewayDependencies,
): SendText {
  const { twilioFrom: from, smsText } = settings;
  const sender = MESSAGING_SERVICE.test(from) ? 'MessagingServiceSid' : 'From';
  return async (phone, code) => {
    const form = { To: phone, [sender]: from, Body: textWithCode(smsText, code) };
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

export function openCheck(
  settings: TwilioSettings,
  { httpClient }: GatewayDependencies,
): CheckGateway {
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

const accountUrl = ({ smsServiceUrl, twilioAccountSid }: TwilioSettings) =>
  `${smsServiceUrl ?? SERVICE_URL}/2010-04-01/Accounts/${twilioAccountSid}`;

function authorization({ twilioAccountSid, twilioAuthToken }: TwilioSettings) {
  const credentials = `${twilioAccountSid}:${twilioAuthToken}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
