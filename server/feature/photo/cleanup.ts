import { runHourly } from '#server/adapter/database/cleanup.ts';
import type { Dependencies } from '#server/context.ts';
import { listPhotos } from '#server/adapter/profile/photo-files.ts';
import type { Cards } from '#server/adapter/profile/card-change.ts';
import { findRemovedUsers } from '#server/adapter/removal/remove-user.ts';
import { PHOTO_SIDE_PX_MIN } from '#domain/photo.ts';
import { findPhotosWithoutPalette, updatePhotoPalette } from '#server/adapter/profile/card.ts';
import { readJpeg } from '#server/adapter/storage/photo-store.ts';

type CleanupDependencies = Pick<Dependencies, 'database' | 'photos' | 'clock' | 'log'>;

/**
 * The rows are read right before the files are removed. Files of unknown users may belong to
 * another database (docs/security.md#photos).
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

export function schedulePhotoCleanup(
  dependencies: CleanupDependencies & Pick<Dependencies, 'decoder'>,
  responses: Cards['responses'],
): () => void {
  let lastUserId = '';
  return runHourly(dependencies.log, [
    {
      failure: 'the palettes of photos were not found',
      run: async () => {
        lastUserId = await fillPalettes({ ...dependencies, responses }, lastUserId);
      },
    },
    {
      failure: 'Orphaned photos were not removed; the cleanup runs again in an hour.',
      run: () => deleteOrphanedPhotos(dependencies),
    },
  ]);
}

/** In an hour. A photo takes a decoder, of two, for about 0.2 s. */
const PHOTOS_MAX = 500;

type FillContext = Pick<Dependencies, 'database' | 'photos' | 'clock' | 'log' | 'decoder'> &
  Pick<Cards, 'responses'>;

/**
 * Finds palettes that are absent or by the rule of an earlier version. Begins after a user's id, and
 * returns where the next run continues. A photo that cannot be read ends the run.
 */
export async function fillPalettes(context: FillContext, after: string): Promise<string> {
  const { photos, decoder, clock, log } = context;
  const rows = await findPhotosWithoutPalette(context.database, { after, countMax: PHOTOS_MAX });
  for (const row of rows) {
    try {
      const bytes = await readJpeg(photos, row.profile_photo, PHOTO_SIDE_PX_MIN);
      const decoded = bytes && (await decoder.decode(async () => bytes));
      if (decoded?.kind !== 'pictures') continue;
      await updatePhotoPalette(context, row, { palette: decoded.palette, now: clock.now() });
    } catch (error) {
      log.warn({ err: error, userId: row.id }, 'the palette of a photo was not found');
      return row.id;
    }
  }
  return rows.length === PHOTOS_MAX ? (rows.at(-1)?.id ?? '') : '';
}
