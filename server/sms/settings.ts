import { choice, serviceUrl } from '#server/environment/schema.ts';
import type { Environment, SettingTable } from '#server/environment/setting.ts';

import { GATEWAY_NAMES } from './gateways.ts';

const REMOTE_GATEWAYS = GATEWAY_NAMES.filter((name) => name !== 'console');

export const SMS_SETTINGS = {
  SMS_GATEWAY: {
    schema: choice(GATEWAY_NAMES),
    // The schema rejects '', so a missing name is an error if a name is required.
    fallback: (environment) => (isNameRequired(environment) ? '' : 'console'),
    defaultHelp: '`console`',
    help: `how the embedded provider delivers: \`console\` writes \`OTP <E.164 phone> <code>\` to standard output, or ${REMOTE_GATEWAYS.map((name) => `\`${name}\``).join(', ')}; with \`NODE_ENV=production\` and the embedded provider it must be set explicitly`,
  },
  SMS_SERVICE_URL: {
    schema: serviceUrl(),
    defaultHelp: "the gateway's own",
    help: "the base of the calls to the gateway's service. https, or http on this machine",
    isSecret: true,
  },
} satisfies SettingTable;

/** In production, so that codes are not printed by mistake. Third parties send their own codes. */
function isNameRequired({ NODE_ENV, OTP_PROVIDER }: Environment): boolean {
  return NODE_ENV?.trim() === 'production' && (OTP_PROVIDER?.trim() || 'embedded') === 'embedded';
}
