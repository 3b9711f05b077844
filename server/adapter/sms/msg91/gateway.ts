import * as z from 'zod/mini';

import { GatewayError } from '#server/adapter/sms/gateway.ts';
import type {
  GatewayDependencies,
  GatewaySettings,
  SendText,
} from '#server/adapter/sms/gateway.ts';

import type { description } from './description.ts';

const FLOW_PATH = '/api/v5/flow';
const acceptedSchema = z.object({ type: z.literal('success') });

/** MSG91's flow API. The text is a registered template with one variable for the code. */
export function openGateway(
  { serviceUrl, keys }: GatewaySettings<typeof description.keys>,
  { httpClient }: GatewayDependencies,
): SendText {
  return async (phone, code) => {
    const recipient = { mobiles: phone.replace('+', ''), [keys.MSG91_CODE_VARIABLE]: code };
    const answer = await httpClient({
      url: `${serviceUrl}${FLOW_PATH}`,
      headers: { 'content-type': 'application/json', authkey: keys.MSG91_AUTH_KEY },
      body: JSON.stringify({ template_id: keys.MSG91_TEMPLATE_ID, recipients: [recipient] }),
    });
    // Errors can have status 200.
    if (answer.status !== 200 || !acceptedSchema.safeParse(answer.content).success) {
      throw new GatewayError(`MSG91 has not taken a message (status ${answer.status}).`, answer);
    }
  };
}
