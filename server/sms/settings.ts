import { choice, serviceUrl } from '#server/environment/schema.ts';
import type { SettingTable } from '#server/environment/setting.ts';

import { GATEWAY_NAMES } from './gateways.ts';

const REMOTE_GATEWAYS = GATEWAY_NAMES.filter((name) => name !== 'console');

export const SMS_SETTINGS = {
  SMS_GATEWAY: {
    schema: choice(GATEWAY_NAMES),
    fallback: 'console',
    help: `how the embedded provider delivers: \`console\` writes \`OTP <E.164 phone> <code>\` to standard output, or ${REMOTE_GATEWAYS.map((name) => `\`${name}\``).join(', ')}; with \`NODE_ENV=production\` and the embedded provider it must be set explicitly`,
  },
  SMS_SERVICE_URL: {
    schema: serviceUrl(),
    defaultHelp: "the gateway's own",
    help: "the base of the calls to the gateway's service. https, or http on this machine",
    isSecret: true,
  },
} satisfies SettingTable;
