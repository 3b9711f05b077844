import type { Database } from '#server/adapter/database/database.ts';
import { joinSql, sql } from '#server/adapter/database/sql.ts';
import { logoFileNames, photoFileNames } from '#server/adapter/storage/photo-store.ts';

import { checkBlocked } from './store.ts';

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

export async function findShownFiles(
  database: Database,
  userId: string,
): Promise<readonly string[] | null> {
  const [row] = await readRows(database, [userId]);
  return row ? fileNames(checkBlocked(row)) : null;
}

async function readRows(database: Database, userIds: readonly string[]): Promise<FilesRow[]> {
  if (userIds.length === 0) return [];
  return database.all<FilesRow>(sql`
    SELECT id, profile_photo, COALESCE(logo, '') AS logo, blocked_at
      FROM users LEFT JOIN appearances ON user_id = id
      WHERE id IN (${joinSql(userIds, ', ')})`);
}

function fileNames({ profile_photo: photo, logo }: FilesRow): string[] {
  return [...photoFileNames(photo), ...logoFileNames(logo)];
}
