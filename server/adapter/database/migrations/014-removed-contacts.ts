/**
 * The ids of deleted contacts, so that a restored backup does not bring them back. Those of a removed
 * user go with the user.
 */
export const removedContacts = {
  number: 14,
  name: 'removed contacts',
  sql: `
    CREATE TABLE removed_contacts (
      id TEXT PRIMARY KEY,
      removed_at BIGINT NOT NULL
    );
    CREATE INDEX removed_contacts_time ON removed_contacts (removed_at);
  `,
  sqlite: `
    CREATE TRIGGER contact_removed AFTER DELETE ON contacts
      WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id)
      BEGIN
        INSERT INTO removed_contacts VALUES (OLD.id, unixepoch() * 1000) ON CONFLICT (id) DO NOTHING;
      END;
  `,
  postgres: `
    CREATE FUNCTION add_removed_contact() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO removed_contacts
          SELECT OLD.id, floor(extract(epoch FROM now())) * 1000
            FROM users WHERE users.id = OLD.user_id
          ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
    CREATE TRIGGER contact_removed AFTER DELETE ON contacts FOR EACH ROW
      EXECUTE FUNCTION add_removed_contact();
  `,
};
