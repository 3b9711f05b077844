import * as z from 'zod/mini';

import { isSuccess } from '#server/adapter/outside/exchange.ts';
import type { Settings } from '#server/settings/settings.ts';

import { requireAccepted, textWithCode } from './gateway.ts';
import type { CheckGateway, GatewayDependencies, GatewayEntry, SendText } from './gateway.ts';

const SERVICE_URL = 'https://api.twilio.com';
const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/i;

export const twilioGateway: GatewayEntry = {
  openGateway,
  openCheck,
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
};

function openGateway(settings: Settings, { httpClient }: GatewayDependencies): SendText {
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
    const { success } = acceptedSchema.safeParse(answer.content);
    requireAccepted('Twilio', answer, isSuccess(answer.status) && success);
  };
}

/** Rejects a proxy's page, which is not JSON, and a message that failed at once, which has an error code. */
const acceptedSchema = z.object({ error_code: z.optional(z.null()) });

const NOT_ACTIVE = 'account not active';
const accountSchema = z.object({ status: z.literal('active') });

function openCheck(settings: Settings, { httpClient }: GatewayDependencies): CheckGateway {
  return async () => {
    const headers = authorization(settings);
    const { status, content } = await httpClient({ url: `${accountUrl(settings)}.json`, headers });
    const explained = status === 200 ? { message: NOT_ACTIVE } : content;
    const { success } = accountSchema.safeParse(content);
    requireAccepted('Twilio', { status, content: explained }, success);
  };
}

const accountUrl = ({ smsServiceUrl, twilioAccountSid }: Settings) =>
  `${smsServiceUrl ?? SERVICE_URL}/2010-04-01/Accounts/${twilioAccountSid}`;

function authorization({ twilioAccountSid, twilioAuthToken }: Settings) {
  const credentials = `${twilioAccountSid}:${twilioAuthToken}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
