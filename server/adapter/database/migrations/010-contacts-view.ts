/**
 * The columns of the Contacts view: note, tags, and the texts that it searches and sorts by, which are
 * null until the view is on. `notice` is the version of the notice that the
 * visitor saw. A deleted contact is moved to `deleted_contacts` until it can no longer be restored.
 */
export const contactsView = {
  number: 10,
  name: 'contacts view',
  sql: `
    ALTER TABLE contacts ADD COLUMN note TEXT NOT NULL DEFAULT '';
    ALTER TABLE contacts ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE contacts ADD COLUMN notice TEXT NOT NULL DEFAULT '';
    ALTER TABLE contacts ADD COLUMN search TEXT;
    ALTER TABLE contacts ADD COLUMN name_key TEXT;
    CREATE INDEX contacts_by_name ON contacts (user_id, held, name_key, id)
      WHERE name_key IS NOT NULL;
    CREATE INDEX contacts_not_folded ON contacts (user_id) WHERE search IS NULL;

    CREATE TABLE deleted_contacts (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      mobile TEXT NOT NULL,
      email TEXT NOT NULL,
      company_name TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      held INTEGER NOT NULL,
      note TEXT NOT NULL,
      tags TEXT NOT NULL,
      notice TEXT NOT NULL,
      search TEXT,
      name_key TEXT,
      deleted_at BIGINT NOT NULL
    );
    CREATE INDEX deleted_contacts_of_user ON deleted_contacts (user_id);
    CREATE INDEX deleted_contacts_time ON deleted_contacts (deleted_at);
  `,
  // Sorted by bytes, as SQLite does. The ids are already.
  postgres: `
    ALTER TABLE contacts ALTER COLUMN name_key TYPE TEXT COLLATE "C";
    ALTER TABLE deleted_contacts ALTER COLUMN id TYPE TEXT COLLATE "C";
  `,
};
