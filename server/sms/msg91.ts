import * as z from 'zod/mini';

import { SECRET_KEY } from '#server/environment/key.ts';

import { GatewayError } from './gateway.ts';
import type { Gateway } from './gateway.ts';

const FLOW_PATH = '/api/v5/flow';
const taken = z.object({ type: z.literal('success') });

/** MSG91's flow: the text is a template that is registered there, with one place for the code. */
export const msg91: Gateway<'MSG91_AUTH_KEY' | 'MSG91_TEMPLATE_ID' | 'MSG91_CODE_VARIABLE'> = {
  serviceUrl: 'https://control.msg91.com',
  keys: {
    MSG91_AUTH_KEY: SECRET_KEY,
    MSG91_TEMPLATE_ID: SECRET_KEY,
    MSG91_CODE_VARIABLE: {
      pattern: /^(?!mobiles$)\w{1,64}$/,
      must: "must be the name of the template's variable, and not mobiles",
      fallback: 'otp',
    },
  },

  open({ serviceUrl, keys }, { httpClient }) {
    return async (phone, code) => {
      const recipient = { mobiles: phone.replace('+', ''), [keys.MSG91_CODE_VARIABLE]: code };
      const { status, content } = await httpClient({
        url: `${serviceUrl}${FLOW_PATH}`,
        headers: { 'content-type': 'application/json', authkey: keys.MSG91_AUTH_KEY },
        body: JSON.stringify({ template_id: keys.MSG91_TEMPLATE_ID, recipients: [recipient] }),
      });
      // A refusal comes with status 200, too.
      if (status !== 200 || !taken.safeParse(content).success) {
        throw new GatewayError(`MSG91 has not taken a message (status ${status}).`);
      }
    };
  },
};
