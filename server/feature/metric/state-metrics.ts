import { statfs } from 'node:fs/promises';

import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

import { SECOND_MS } from '#domain/duration.ts';
import type { Dependencies } from '#server/context.ts';
import { readBackupTime } from '#server/adapter/database/statistics.ts';

export interface ReadinessMetrics {
  readonly findUnavailable: () => Promise<readonly string[]>;
  readonly isReady: (unavailable: readonly string[]) => boolean;
}

export function registerStateMetrics(
  { database }: Pick<Dependencies, 'database'>,
  dataDir: string,
  register: Registry,
): void {
  register.registerMetric(
    new Gauge({
      name: 'tessera_last_backup_timestamp_seconds',
      help: 'When the last backup ended; 0 before the first one',
      registers: [],
      async collect() {
        const time = await readBackupTime(database).catch(() => undefined);
        if (time === undefined) return this.remove();
        this.set((time ?? 0) / SECOND_MS);
      },
    }),
  );
  register.registerMetric(
    new Gauge({
      name: 'tessera_disk_bytes',
      help: 'The disk of DATA_DIR, by state: size, and free for the user of the service',
      labelNames: ['state'],
      registers: [],
      async collect() {
        const disk = await statfs(dataDir).catch(() => null);
        if (disk === null) return this.reset();
        const { bsize, blocks, bavail } = disk;
        this.set({ state: 'size' }, blocks * bsize);
        this.set({ state: 'free' }, bavail * bsize);
      },
    }),
  );
}

export function registerReadiness(
  register: Registry,
  { isReady, findUnavailable }: ReadinessMetrics,
): void {
  register.registerMetric(
    new Gauge({
      name: 'tessera_ready',
      help: '1 while /readyz is 200, 0 while it is 503',
      registers: [],
      async collect() {
        this.set(Number(isReady(await findUnavailable())));
      },
    }),
  );
}
