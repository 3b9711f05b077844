import * as z from 'zod/mini';

import { GatewayError } from '#server/adapter/sms/gateway.ts';
import type { GatewayDependencies, SendText } from '#server/adapter/sms/gateway.ts';
import type { Settings } from '#server/settings/settings.ts';

const SERVICE_URL = 'https://control.msg91.com';
const FLOW_PATH = '/api/v5/flow';
const acceptedSchema = z.object({ type: z.literal('success') });

/** MSG91's flow API. The text is a registered template with one variable for the code. */
export function openGateway(
  settings: Pick<
    Settings,
    'smsServiceUrl' | 'msg91AuthKey' | 'msg91TemplateId' | 'msg91CodeVariable'
  >,
  { httpClient }: GatewayDependencies,
): SendText {
  return async (phone, code) => {
    const recipient = { mobiles: phone.replace('+', ''), [settings.msg91CodeVariable]: code };
    const answer = await httpClient({
      url: `${settings.smsServiceUrl ?? SERVICE_URL}${FLOW_PATH}`,
      headers: { 'content-type': 'application/json', authkey: settings.msg91AuthKey },
      body: JSON.stringify({ template_id: settings.msg91TemplateId, recipients: [recipient] }),
    });
    // Errors can have status 200.
    if (answer.status !== 200 || !acceptedSchema.safeParse(answer.content).success) {
      throw new GatewayError(`MSG91 has not taken a message (status ${answer.status}).`, answer);
    }
  };
}
