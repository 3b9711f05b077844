import { RESTORE_MS } from '#domain/contact.ts';
import type { AppContext } from '#server/context.ts';
import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import { sql } from '#server/adapter/database/sql.ts';

/** Purges when a contact can no longer be restored; after a restart the hourly cleanup does. */
export function createPurge({ fastify, dependencies }: AppContext): () => void {
  const { database, clock, log } = dependencies;
  const timers = new Set<NodeJS.Timeout>();
  fastify.addHook('onClose', async () => timers.forEach(clearTimeout));

  const purge = () => {
    deleteInBatches(database, {
      table: 'deleted_contacts',
      key: 'id',
      condition: sql`deleted_at <= ${clock.now() - RESTORE_MS}`,
    }).catch((error: unknown) => log.warn({ err: error }, 'deleted contacts were not removed'));
  };
  return () => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      purge();
    }, RESTORE_MS).unref();
    timers.add(timer);
  };
}
