import type { GatewayName } from '#server/settings/login-table.ts';
import type { Settings } from '#server/settings/settings.ts';

import type { GatewayEntry } from './gateway.ts';

/** To add one: docs/recipes.md#gateway. */
export const GATEWAYS: Readonly<Record<GatewayName, GatewayEntry>> = {
  console: { load: () => import('./console/gateway.ts') },
  webhook: { load: () => import('./webhook/gateway.ts') },
  msg91: {
    load: () => import('./msg91/gateway.ts'),
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
  },
  twilio: {
    load: () => import('./twilio/gateway.ts'),
    meanings: {
      'account not active': 'The account is suspended or closed.',
      '20003': 'The account SID or the auth token is wrong, or the account is suspended or closed.',
      '20429': 'Too many messages at once.',
      '21211': 'The number is not valid.',
      '21408':
        "The account may not send to this country; allow it in the console's geo permissions.",
      '21606': 'TWILIO_FROM is not a number of this account that can send text messages.',
      '21608': 'A trial account sends to verified numbers only.',
      '21610': 'The owner of this number has stopped messages from this sender.',
      '21614': 'The number is no mobile number.',
    },
  },
  whatsapp: {
    load: () => import('./whatsapp/gateway.ts'),
    meanings: {
      '0': 'The token has expired or was withdrawn (WHATSAPP_TOKEN).',
      '10': 'The token lacks whatsapp_business_messaging, or the system user has no access to the account.',
      '33': "The sender's number was deleted at Meta (WHATSAPP_PHONE_NUMBER_ID).",
      '100':
        "WHATSAPP_PHONE_NUMBER_ID is not the id of a number that this token may use, or the template's button is not a copy-code button.",
      '190': 'The token has expired or was withdrawn (WHATSAPP_TOKEN).',
      '368': 'Meta has blocked the business for a breach of its policies.',
      '130429': 'Too many messages at once.',
      '131026': 'The number is not on WhatsApp, or its app is too old.',
      '131031': 'Meta has locked the account.',
      '131042': 'The payment method of the business is missing or was declined.',
      '131048': 'Meta has limited the number because recipients blocked or reported it.',
      '131056': 'Too many messages to this number in a short time.',
      '132000': 'The template has not exactly one variable in its body.',
      '132001':
        'The template does not exist in this language, or is not approved yet (WHATSAPP_TEMPLATE, WHATSAPP_LANGUAGE).',
      '132015': 'Meta has paused the template because of its quality.',
      '132016': 'Meta has disabled the template because of its quality.',
      '133010': "The sender's number is not registered for the Cloud API.",
    },
  },
};

export function isWhatsappAlone({ smsGateway }: Pick<Settings, 'smsGateway'>): boolean {
  return smsGateway.join() === 'whatsapp';
}
