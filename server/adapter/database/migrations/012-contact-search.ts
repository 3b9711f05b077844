/**
 * `search` is written with each contact and, in the form of its first characters, sorts by name. After
 * the migrations fillSearch() writes it to older rows. A later release drops `name_key`.
 */
export const contactSearch = {
  number: 12,
  name: 'contact search',
  sql: `
    DROP INDEX contacts_by_name;
    CREATE INDEX contacts_by_name
      ON contacts (user_id, held, COALESCE(substr(search, 1, 100), ''), id);
  `,
  // Sorted by bytes, as SQLite does.
  postgres: 'ALTER TABLE contacts ALTER COLUMN search TYPE TEXT COLLATE "C";',
};
