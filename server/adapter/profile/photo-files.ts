import { HOUR_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/adapter/database/database.ts';
import {
  parsePhotoName,
  logoFileNames,
  photoFileNames,
} from '#server/adapter/storage/photo-store.ts';
import type { PhotoStore, StoredFile } from '#server/adapter/storage/photo-store.ts';
import { listSql, sql } from '#server/adapter/database/sql.ts';

import { checkBlocked } from './store.ts';

/** A younger file that no row uses may belong to an upload that has not changed its row yet. */
export const ORPHAN_AGE_MS_MIN = HOUR_MS;

export interface ListedPhoto extends StoredFile {
  /** This is null for a file that was never completed, because its name is not that of a photo. */
  readonly userId: string | null;
  /** A `new` file is not used by its card, or has no known owner, but is too young to be an orphan. */
  readonly state: 'used' | 'unused' | 'owner unknown' | 'new';
}

export async function* listPhotos({
  database,
  photos,
  clock,
}: {
  readonly database: Database;
  readonly photos: PhotoStore;
  readonly clock: Clock;
}): AsyncGenerator<readonly ListedPhoto[]> {
  for await (const files of photos.list()) {
    const owners = files.flatMap((file) => ownerOf(file) ?? []);
    const namesByUser = await findCardFiles(database, [...new Set(owners)]);
    yield files.map((file) => {
      const userId = ownerOf(file);
      const names = userId === null ? [] : namesByUser.get(userId);
      return { ...file, userId, state: stateOf(file, names, clock.now()) };
    });
  }
}

const ownerOf = ({ name }: StoredFile) => parsePhotoName(name)?.userId ?? null;

function stateOf(
  file: StoredFile,
  names: readonly string[] | undefined,
  now: number,
): ListedPhoto['state'] {
  if (names?.includes(file.name)) return 'used';
  if (now - file.modifiedAt <= ORPHAN_AGE_MS_MIN) return 'new';
  return names === undefined ? 'owner unknown' : 'unused';
}

interface FilesRow {
  readonly id: string;
  readonly profile_photo: string;
  readonly logo: string;
  readonly blocked_at: number | null;
}

export async function findCardFiles(
  database: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await readRows(database, userIds);
  return new Map(rows.map((row) => [row.id, fileNames(row)]));
}

export async function findPublicFiles(
  database: Database,
  userId: string,
): Promise<readonly string[] | null> {
  const [row] = await readRows(database, [userId]);
  return row ? fileNames(checkBlocked(row)) : null;
}

async function readRows(database: Database, userIds: readonly string[]) {
  if (userIds.length === 0) return [];
  return database.all<FilesRow>(sql`
    SELECT id, profile_photo, COALESCE(logo, '') AS logo, blocked_at
      FROM users LEFT JOIN appearances ON user_id = id
      WHERE id IN ${listSql(userIds)}`);
}

function fileNames({ profile_photo: photo, logo }: FilesRow): string[] {
  return [...photoFileNames(photo), ...logoFileNames(logo)];
}
