import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

import { MINUTE_MS } from '#domain/duration.ts';
import type { Dependencies } from '#server/context.ts';
import { readStored } from '#server/db/stored.ts';
import type { Stored } from '#server/db/stored.ts';

/** Counting reads whole indexes, so the numbers of frequent scrapes are shared. */
const LIFE_MS = 5 * MINUTE_MS;

const HELP = {
  users: ['tessera_users', 'Accounts'],
  cards: ['tessera_cards', 'Accounts whose card has a phone, so that visitors see it'],
  photos: ['tessera_photos', 'Accounts with a photo'],
  contacts: ['tessera_contacts', 'Contacts that visitors left'],
  bytes: ['tessera_database_bytes', 'Size of the database'],
} as const satisfies Record<keyof Stored, readonly [string, string]>;

/** Adds the gauges of what the database contains. While it cannot be read, they have no value. */
export function registerStoredMetrics(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  register: Registry,
): void {
  let readAt = -Infinity;
  let stored: Promise<Stored | null> = Promise.resolve(null);

  function read(): Promise<Stored | null> {
    const age = clock.now() - readAt;
    if (age >= 0 && age < LIFE_MS) return stored;
    readAt = clock.now();
    stored = readStored(database).catch(() => {
      readAt = -Infinity;
      return null;
    });
    return stored;
  }

  for (const key of Object.keys(HELP) as (keyof Stored)[]) {
    const [name, help] = HELP[key];
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        const values = await read();
        if (values) this.set(values[key]);
        else this.reset();
      },
    });
    register.registerMetric(gauge);
  }
}
