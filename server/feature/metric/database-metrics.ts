import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

import { MINUTE_MS } from '#domain/duration.ts';
import type { Dependencies } from '#server/context.ts';
import { readDatabaseStatistics } from '#server/adapter/database/statistics.ts';
import type { DatabaseStatistics } from '#server/adapter/database/statistics.ts';

/** Counting scans whole indexes, so the result is cached for 5 minutes. */
const AGE_MS_MAX = 5 * MINUTE_MS;

const GAUGES = {
  users: ['tessera_users', 'Accounts'],
  cards: ['tessera_cards', 'Accounts whose card has a phone, so that visitors see it'],
  photos: ['tessera_photos', 'Accounts with a photo'],
  contacts: ['tessera_contacts', 'Contacts that visitors left'],
  bytes: ['tessera_database_bytes', 'Size of the database'],
} as const satisfies Record<keyof DatabaseStatistics, readonly [string, string]>;

/** Registers the gauges for the database's content. They have no value while it cannot be read. */
export function registerDatabaseMetrics(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  register: Registry,
): void {
  let readAt = -Infinity;
  let counts: Promise<DatabaseStatistics | null> = Promise.resolve(null);

  function read(): Promise<DatabaseStatistics | null> {
    const age = clock.now() - readAt;
    if (age >= 0 && age < AGE_MS_MAX) return counts;
    readAt = clock.now();
    counts = readDatabaseStatistics(database).catch(() => {
      readAt = -Infinity;
      return null;
    });
    return counts;
  }

  for (const key of Object.keys(GAUGES) as (keyof DatabaseStatistics)[]) {
    const [name, help] = GAUGES[key];
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        const values = await read();
        if (values) this.set(values[key]);
        else this.remove();
      },
    });
    register.registerMetric(gauge);
  }
}
