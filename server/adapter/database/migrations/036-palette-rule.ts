/**
 * The rule by which the palette of a photo was found (ringPalette): null for one of an earlier version,
 * which the card keeps until the cleanup has read the photo again (not one that a node of 1.1 replaces later). Another rule sets all to null.
 */
export const paletteRule = {
  number: 36,
  name: 'palette rule',
  onlyAdds: true,
  sql: `
    ALTER TABLE users ADD COLUMN palette_rule SMALLINT;
    CREATE INDEX users_without_palette_rule ON users (id)
      WHERE palette_rule IS NULL AND profile_photo <> '';
  `,
} as const;
