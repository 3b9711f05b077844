/**
 * The palette of a photo (domain/palette.ts): null without a photo, and for one of an earlier version
 * until the cleanup has read it; -1 for a grey one.
 */
export const photoPalette = {
  number: 15,
  name: 'photo palette',
  sql: `
    ALTER TABLE users ADD COLUMN photo_palette SMALLINT;
    CREATE INDEX users_without_palette ON users (id)
      WHERE photo_palette IS NULL AND profile_photo <> '';
  `,
};
