import type { Dependencies } from '#server/context.ts';

import { photoFileNames, parsePhotoName } from '#server/storage/photo-store.ts';
import { findPhotos } from '#server/profile/store.ts';

/** Younger files may belong to an upload whose row is about to change. */
export const ORPHAN_AGE_MS_MIN = 60 * 60 * 1000;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

type SweepParts = Pick<Dependencies, 'database' | 'photos' | 'clock' | 'log'>;

/**
 * Removes the files that no card uses: what a cut upload or a removal that failed has left behind.
 * Gives back how many. The owners' rows are read right before their files go. Files of an owner whom
 * this database does not know stay: they are another service's, or this is not the right database.
 */
export async function deleteOrphanedPhotos({
  database,
  photos,
  clock,
  log,
}: SweepParts): Promise<number> {
  let swept = 0;
  let strange = 0;
  for await (const files of photos.list()) {
    const old = files.filter(({ modifiedAt }) => clock.now() - modifiedAt > ORPHAN_AGE_MS_MIN);
    const owners = new Set(old.flatMap(({ name }) => parsePhotoName(name)?.userId ?? []));
    const photoOf = await findPhotos(database, [...owners]);
    const orphans = old.flatMap(({ name }) => {
      const owner = parsePhotoName(name)?.userId;
      if (owner === undefined) return name;
      const current = photoOf.get(owner);
      if (current === undefined) strange += 1;
      return current === undefined || photoFileNames(current).includes(name) ? [] : name;
    });
    if (orphans.length > 0) await photos.remove(orphans);
    swept += orphans.length;
  }
  if (strange > 0)
    log.warn({ files: strange }, 'Photos of unknown owners were left where they are');
  return swept;
}

/** Sweeps now and every hour until the function that it gives back is called. */
export function schedulePhotoCleanup(dependencies: SweepParts): () => void {
  const sweep = () => {
    deleteOrphanedPhotos(dependencies).catch((error: unknown) =>
      dependencies.log.warn(
        { err: error },
        'Orphaned photos could not be swept; the next hour tries again.',
      ),
    );
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  return () => clearInterval(timer);
}
