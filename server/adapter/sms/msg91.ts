import * as z from 'zod/mini';

import type { Settings } from '#server/settings/settings.ts';

import { requireAccepted } from './gateway.ts';
import type { GatewayDependencies, GatewayEntry, SendText } from './gateway.ts';

const SERVICE_URL = 'https://control.msg91.com';
const FLOW_PATH = '/api/v5/flow';
const acceptedSchema = z.object({ type: z.literal('success') });

export const msg91Gateway: GatewayEntry = {
  openGateway,
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
};

/** Calls MSG91's flow API, whose text is a registered template with one variable for the code. */
function openGateway(settings: Settings, { httpClient }: GatewayDependencies): SendText {
  return async (phone, code) => {
    const recipient = { mobiles: phone.replace('+', ''), [settings.msg91CodeVariable]: code };
    const answer = await httpClient({
      url: `${settings.smsServiceUrl ?? SERVICE_URL}${FLOW_PATH}`,
      headers: { 'content-type': 'application/json', authkey: settings.msg91AuthKey },
      body: JSON.stringify({ template_id: settings.msg91TemplateId, recipients: [recipient] }),
    });
    // Even an error can have status 200.
    const { success } = acceptedSchema.safeParse(answer.content);
    requireAccepted('MSG91', answer, answer.status === 200 && success);
  };
}
