import { integer } from '#server/environment/schema.ts';
import type { SettingTable } from '#server/environment/setting.ts';

const LIMIT_MAX = 1_000_000;
const limit = () => integer({ min: 1, max: LIMIT_MAX });

/** The limits that an office behind one address can reach (docs/security.md#limits). */
export const LIMIT_SETTINGS = {
  LIMIT_READS_PER_MINUTE: {
    schema: limit(),
    fallback: '600',
    help: 'how often one address may read cards and photos in a minute',
  },
  LIMIT_INVALID_PER_MINUTE: {
    schema: limit(),
    fallback: '120',
    help: 'invalid requests without a session from one address in a minute',
  },
  LIMIT_CONTACTS_PER_HOUR: {
    schema: limit(),
    fallback: '300',
    help: 'contacts from one address to all cards in an hour',
  },
  LIMIT_CONTACTS_PER_CARD: {
    schema: limit(),
    fallback: '30',
    help: 'contacts from one address to one card in ten minutes',
  },
  LIMIT_CODES_PER_HOUR: {
    schema: limit(),
    fallback: '100',
    help: 'one-time codes that one address may request in an hour; three times as many for a /48 of IPv6',
  },
} satisfies SettingTable;
