import { PHOTO_SIDE_PX_MIN } from '#domain/photo.ts';
import type { Dependencies } from '#server/context.ts';
import { findPhotosWithoutPalette, updatePhotoPalette } from '#server/adapter/profile/card.ts';
import type { Cards } from '#server/adapter/profile/card-change.ts';
import { readJpeg } from '#server/adapter/storage/photo-store.ts';

/** In an hour. A photo takes a decoder, of two, for about 0.2 s. */
const PHOTOS_MAX = 500;

type FillContext = Pick<Dependencies, 'database' | 'photos' | 'clock' | 'log' | 'decoder'> &
  Pick<Cards, 'responses'>;

/**
 * Finds the palettes of photos that an earlier version has stored, by its own rule or none. Begins after a user's id, and
 * returns the one after which the next run continues. A photo that cannot be read ends the run, and
 * is read again when all others have been.
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
