import * as z from 'zod/mini';

import { countries } from '#server/environment/list-schema.ts';
import { serviceUrl } from '#server/environment/schema.ts';
import type { SettingTable } from '#server/environment/setting.ts';

import { GATEWAY_NAMES } from './gateways.ts';
import type { GatewayName } from './gateways.ts';

const REMOTE_GATEWAYS = GATEWAY_NAMES.filter((name) => name !== 'console');
const WHATSAPP_COUNTRIES = ['IN'];
const GATEWAYS_MAX = 2;

export const SMS_SETTINGS = {
  SMS_GATEWAY: {
    schema: gatewayList(),
    fallback: 'console',
    help: `how the embedded provider delivers: \`console\` writes \`OTP <E.164 phone> <code>\` to standard output, or ${REMOTE_GATEWAYS.map((name) => `\`${name}\``).join(', ')}; with \`NODE_ENV=production\` and the embedded provider it must be set explicitly. A second one after a comma gets what the first does not take, for example \`whatsapp,msg91\`; \`whatsapp\` is the first or alone ([sms.md](sms.md))`,
  },
  SMS_SERVICE_URL: {
    schema: serviceUrl(),
    defaultHelp: "the gateway's own",
    help: "the base of the calls to the gateway's service, of both of a list; `whatsapp` has WHATSAPP_API_URL. https, or http on this machine",
    isSecret: true,
  },
  WHATSAPP_COUNTRIES: {
    schema: countries(WHATSAPP_COUNTRIES),
    fallback: WHATSAPP_COUNTRIES.join(','),
    help: 'two-letter codes, separated by commas, of the countries whose numbers get codes by WhatsApp; messages to another country than that of the business can cost twenty times as much',
  },
} satisfies SettingTable;

function gatewayList() {
  const known: readonly string[] = GATEWAY_NAMES;
  return z.pipe(
    z
      .pipe(
        z.string(),
        z.transform((value) => value.split(',').map((item) => item.trim())),
      )
      .check(
        z.refine(
          (names) => names.every((name) => known.includes(name)),
          `must be one of ${GATEWAY_NAMES.join(', ')}`,
        ),
        z.refine(
          (names) => names.length <= GATEWAYS_MAX && new Set(names).size === names.length,
          `must have at most ${GATEWAYS_MAX} gateways, each once`,
        ),
        z.refine(
          (names) => names.lastIndexOf('whatsapp') < 1,
          'must have whatsapp as the first gateway or alone',
        ),
      ),
    z.transform((names) => names as GatewayName[]),
  );
}
