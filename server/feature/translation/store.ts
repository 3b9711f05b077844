import { parseFaces, shownFaces } from '#domain/translation.ts';
import type { Face, Faces } from '#domain/translation.ts';
import { TRANSLATIONS } from '#domain/language/language.ts';
import type { Translation } from '#domain/language/language.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { NO_VERSION, changeOwnerRow } from '#server/adapter/profile/owner-row.ts';
import type { PermittedVersions } from '#server/adapter/profile/store.ts';
import type { Cards } from '#server/adapter/profile/card-change.ts';

interface FacesRow {
  readonly texts: string;
  readonly version: number;
}

export interface VersionedFaces {
  /** Of every language that has been one of LANGUAGES. */
  readonly faces: Faces;
  readonly version: number;
}

/** Null for an unknown user. */
export async function findFaces(
  database: Database,
  userId: string,
): Promise<VersionedFaces | null> {
  const row = await database.one<FacesRow>(sql`SELECT COALESCE(texts, '{}') AS texts,
      COALESCE(faces.version, ${NO_VERSION}) AS version
    FROM users LEFT JOIN faces ON user_id = id WHERE id = ${userId}`);
  return row && toFaces(row);
}

/** All that have a text; null for none. */
export async function findFilledFaces(database: Database, userId: string): Promise<Faces | null> {
  const faces = shownFaces((await findFaces(database, userId))?.faces ?? {}, TRANSLATIONS);
  return Object.keys(faces).length > 0 ? faces : null;
}

interface FacesChange {
  readonly userId: string;
  /** Those of `languages` that are absent are removed; those of other languages stay. */
  readonly faces: readonly Face[];
  readonly languages: readonly Translation[];
  readonly versions: PermittedVersions;
}

/** Throws as `changeOwnerRow`. */
export async function changeFaces(
  cards: Cards,
  { userId, faces, languages, versions }: FacesChange,
): Promise<VersionedFaces> {
  const removed = languages.map((language) => [language, null]);
  const stored = faces.map(({ language, ...texts }) => [language, texts]);
  const patch = JSON.stringify(Object.fromEntries([...removed, ...stored]));
  const values = {
    texts: sql`json_patch(
      COALESCE((SELECT texts FROM faces WHERE user_id = ${userId}), '{}'), ${patch})`,
  };
  return toFaces(await changeOwnerRow(cards, { table: 'faces', userId, values, versions }));
}

function toFaces({ texts, version }: FacesRow): VersionedFaces {
  return { faces: parseFaces(texts), version };
}
