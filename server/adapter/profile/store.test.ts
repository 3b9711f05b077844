import { beforeEach, expect, test, vi } from 'vitest';

import { photoPath } from '#domain/photo.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { signIn } from '#server/adapter/session.ts';
import { photoFileNames } from '#server/adapter/storage/photo-store.ts';
import { checkUserTable } from '#server/feature/status/routes.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';

import type { Cards } from './store.ts';
import { findCardFiles, findPublicFiles } from './photo-files.ts';
import { changeCard, findOwnProfile, findVersionedProfile, updateProfile } from './store.ts';

const USER_ID = '1'.repeat(16);
const UNKNOWN_ID = '2'.repeat(16);

onEachDatabase((open) => {
  let database: Database;
  let cards: Cards;
  const drop = vi.fn();

  beforeEach(async () => {
    ({ database } = await open());
    cards = { database, responses: { drop } };
    await database.run(sql`INSERT INTO users (id, login_phone, created_at,
      updated_at) VALUES (${USER_ID}, '+91', 1, 1)`);
  });

  const CHANGE = { userId: USER_ID, now: 2 };
  const save = (change: object) =>
    updateProfile(cards, { ...CHANGE, versions: '*', locked: new Set(), ...change });
  const savePhoto = (profilePhoto: string) => {
    const values = { profile_photo: profilePhoto };
    return changeCard(cards, { ...CHANGE, values, condition: sql`1 = 1` });
  };
  const versionNow = async () => (await findVersionedProfile(database, USER_ID))?.version ?? -1;
  const nameNow = async () => (await findVersionedProfile(database, USER_ID))?.profile.name;

  test('profile check: throws for a schema of an older version', async () => {
    const older = new Error('The schema is of an older version.');
    await checkUserTable(database);
    const newest = 'SELECT MAX(number) FROM migrations';
    for (const rows of [`number = (${newest})`, '1 = 1']) {
      await database.run(`DELETE FROM migrations WHERE ${rows}`);
      await expect(checkUserTable(database)).rejects.toThrow(older);
    }
  });

  test('profile store: every save, photo and block has a new version, and drops the responses', async () => {
    drop.mockClear();
    const versions = [await versionNow()];
    for (let n = 0; n < 3; n += 1) {
      const saved = await save({ name: 'A' });
      versions.push(await versionNow());
      expect(versions.at(-1)).toBe(saved?.version);
    }
    await savePhoto('/photo');
    versions.push(await versionNow());
    const block = { ...CHANGE, values: { blocked_at: null }, condition: sql`1 = 1` };
    versions.push((await changeCard(cards, block))?.version ?? -1);
    expect(new Set(versions).size).toBe(6);
    expect(drop.mock.calls).toEqual(Array.from({ length: 5 }, () => [USER_ID]));
  });

  test('profile store: saves only a permitted version, and one of many saves at once', async () => {
    const first = (await save({ name: 'First' }))?.version ?? 0;
    for (const versions of [[], [1, first + 1]])
      expect(await save({ versions, name: 'Others' })).toBe(null);
    expect(await nameNow()).toBe('First');
    const versions = [1, first];
    const saves = Array.from({ length: 8 }, (_, n) => save({ versions, name: `Save ${n}` }));
    const names = (await Promise.all(saves)).flatMap((saved) => saved?.profile.name ?? []);
    expect(names).toEqual([await nameNow()]);
  });

  test('profile store: shows no blocked card, and none of its files, to others', async () => {
    const photo = photoPath(`${USER_ID}-${'0'.repeat(32)}`);
    const names = photoFileNames(photo);
    await savePhoto(photo);
    expect(await findPublicFiles(database, USER_ID)).toEqual(names);
    await database.run('UPDATE users SET blocked_at = 1');
    for (const find of [findVersionedProfile, findPublicFiles])
      await expect(find(database, USER_ID)).rejects.toMatchObject({ code: 'card_blocked' });
    expect((await findOwnProfile(database, USER_ID))?.profilePhoto).toBe(photo);
    await database.run('UPDATE users SET blocked_at = NULL');
    expect((await findVersionedProfile(database, USER_ID))?.profile.profilePhoto).toBe(photo);
    const found = new Map([[USER_ID, names]]);
    expect(await findCardFiles(database, [USER_ID, UNKNOWN_ID])).toEqual(found);
    expect(await findCardFiles(database, [])).toEqual(new Map());
  });

  // Nodes of two versions share PostgreSQL only.
  if (open === openTestSqlite) return;

  // A node of version 1.0 runs this statement beside new nodes during an upgrade.
  test('profile version: changes also by a statement that does not set it, but not by a sign-in', async () => {
    const versions = [await versionNow()];
    for (const name of ['A', 'B']) {
      await database.run(sql`UPDATE users SET name = ${name}, updated_at = 2
        WHERE id = ${USER_ID}`);
      versions.push(await versionNow());
    }
    expect(new Set(versions).size).toBe(3);
    const session = {
      signup: 'open',
      subject: null,
      sessionToken: 's',
      device: '',
      now: 3,
      expiresAt: 4,
    } as const;
    await signIn(database, { proof: [sql`SELECT 1`], phone: '+91', ...session });
    expect(await versionNow()).toBe(versions.at(-1));
  });
});
