import { afterEach, beforeEach, expect, test } from 'vitest';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES, mapProfileFields } from '#domain/profile-field.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

import { findPhoto, findPhotos, findProfile, updatePhoto, updateProfile } from './store.ts';

const USER_ID = '1'.repeat(16);
const UNKNOWN_ID = '2'.repeat(16);

const changed = (now: number) => ({ userId: USER_ID, now });

onEachDatabase((open) => {
  let opened: TestDatabase;

  beforeEach(async () => {
    opened = await open();
    await opened.database.run(
      "INSERT INTO users (id, login_phone, created_at, updated_at) VALUES ($1, '+91', 1, 1)",
      [USER_ID],
    );
  });
  afterEach(() => opened.dispose());

  test.each(PROFILE_FIELD_NAMES)(
    'profile store: the field %s has its column in the schema',
    async (name) => {
      const { column } = PROFILE_FIELDS[name];
      const rows = await opened.database.all(`SELECT ${column} FROM users`);
      expect(rows).toEqual([{ [column]: '' }]);
    },
  );

  test('profile store: saves and returns every field', async () => {
    const texts = mapProfileFields((name) => `a ${name}`);
    const expected = { ...texts, _id: USER_ID, profilePhoto: '', socialMediaHandles: {} };
    expect(await updateProfile(opened.database, { ...texts, ...changed(2) })).toEqual(expected);
    expect(await findProfile(opened.database, USER_ID)).toEqual(expected);
  });

  test.each(PROFILE_FIELD_NAMES)('profile store: saves %s alone', async (name) => {
    const texts = mapProfileFields((field) => `a ${field}`);
    await updateProfile(opened.database, { ...texts, ...changed(2) });
    const profile = await updateProfile(opened.database, { [name]: 'new', ...changed(3) });
    expect(mapProfileFields((field) => profile?.[field])).toEqual({ ...texts, [name]: 'new' });
  });

  const saveHandles = (socialMediaHandles: Record<string, string | null>) =>
    updateProfile(opened.database, { socialMediaHandles, ...changed(2) });

  test('profile store: merges handles and removes those of null', async () => {
    await saveHandles({ X: 'https://x.example', Web: 'https://web.example' });
    const profile = await saveHandles({ X: null, Maps: 'https://maps.example' });
    expect(profile?.socialMediaHandles).toEqual({
      Web: 'https://web.example',
      Maps: 'https://maps.example',
    });
  });

  test('profile store: returns null for an unknown user', async () => {
    const { database } = opened;
    const photo = { userId: UNKNOWN_ID, previous: '', profilePhoto: '/p', now: 2 };
    expect(await findProfile(database, UNKNOWN_ID)).toBe(null);
    expect(await updateProfile(database, { userId: UNKNOWN_ID, now: 2, name: 'A' })).toBe(null);
    expect(await findPhoto(database, UNKNOWN_ID)).toBe(null);
    expect(await updatePhoto(database, photo)).toBe(false);
  });

  test('profile store: replaces the photo, but not one that another upload has set meanwhile', async () => {
    const { database } = opened;
    const change = { previous: '', profilePhoto: '/photo', ...changed(2) };
    expect(await updatePhoto(database, change)).toBe(true);
    expect(await updatePhoto(database, { ...change, profilePhoto: '/late' })).toBe(false);
    expect(await findPhoto(database, USER_ID)).toBe('/photo');
    expect((await findProfile(database, USER_ID))?.profilePhoto).toBe('/photo');
    expect(await findPhotos(database, [USER_ID, UNKNOWN_ID])).toEqual(
      new Map([[USER_ID, '/photo']]),
    );
    expect(await findPhotos(database, [])).toEqual(new Map());
  });
});
