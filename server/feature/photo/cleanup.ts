import { runHourly } from '#server/adapter/database/cleanup.ts';
import type { Dependencies } from '#server/context.ts';
import { listPhotos } from '#server/adapter/profile/photo-files.ts';
import { findRemovedUsers } from '#server/adapter/remove-user.ts';

type CleanupDependencies = Pick<Dependencies, 'database' | 'photos' | 'clock' | 'log'>;

/**
 * Removes the files that no card uses, and returns their number. The rows are read immediately before the
 * files are removed. Files of unknown users stay, because they may belong to another database
 * (docs/develop/security.md#photos).
 */
export async function deleteOrphanedPhotos(dependencies: CleanupDependencies): Promise<number> {
  const { database, photos, log } = dependencies;
  let removed = 0;
  let unknownOwnerCount = 0;
  for await (const files of listPhotos(dependencies)) {
    const removedUsers = await findRemovedUsers(
      database,
      files.flatMap(({ userId, state }) => (state === 'used' ? [] : (userId ?? []))),
    );
    const orphans: string[] = [];
    for (const { name, userId, state } of files) {
      if (state === 'used') continue;
      if (state === 'unused' || (userId !== null && removedUsers.has(userId))) orphans.push(name);
      else if (state === 'owner unknown') unknownOwnerCount += 1;
    }
    if (orphans.length > 0) await photos.remove(orphans);
    removed += orphans.length;
  }
  if (unknownOwnerCount > 0) {
    log.warn({ files: unknownOwnerCount }, 'Photos of unknown owners were left where they are');
  }
  return removed;
}

export const schedulePhotoCleanup = (dependencies: CleanupDependencies): (() => void) =>
  runHourly(dependencies.log, [
    {
      failure: 'Orphaned photos were not removed; the cleanup runs again in an hour.',
      run: () => deleteOrphanedPhotos(dependencies),
    },
  ]);
