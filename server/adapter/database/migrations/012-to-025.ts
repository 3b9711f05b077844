export const MIGRATIONS_12_TO_25 = [
  /**
   * `search` is written with each contact and, in the form of its first characters, sorts by name. After
   * the migrations fillSearch() writes it to older rows. A later release drops `name_key`.
   */
  {
    name: 'contact search',
    sql: `
    DROP INDEX contacts_by_name;
    CREATE INDEX contacts_by_name
      ON contacts (user_id, held, COALESCE(substr(search, 1, 100), ''), id);
  `,
    // Sorted by bytes, as SQLite does.
    postgres: 'ALTER TABLE contacts ALTER COLUMN search TYPE TEXT COLLATE "C";',
  },
  /**
   * A keyed hash of the network from which a held contact came, '' for others and for older ones: the
   * network with the most held contacts loses its newest (docs/security.md#limits).
   */
  {
    name: 'held source',
    sql: `
    ALTER TABLE contacts ADD COLUMN held_source TEXT NOT NULL DEFAULT '';
    ALTER TABLE deleted_contacts ADD COLUMN held_source TEXT NOT NULL DEFAULT '';
    CREATE INDEX contacts_held_sources ON contacts (user_id, held_source, id) WHERE held = 1;
  `,
  },
  /**
   * The ids of deleted contacts, so that a restored backup does not bring them back. Those of a removed
   * user go with the user.
   */
  {
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
  },
  /**
   * The palette of a photo (domain/palette.ts): null without a photo, and for one of an earlier version
   * until the cleanup has read it; -1 for a grey one.
   */
  {
    name: 'photo palette',
    sql: `
    ALTER TABLE users ADD COLUMN photo_palette SMALLINT;
    CREATE INDEX users_without_palette ON users (id)
      WHERE photo_palette IS NULL AND profile_photo <> '';
  `,
  },
  /**
   * `received` is what the visitor sent, as JSON, of a contact that its owner has edited. The indexes find
   * the tags of an owner, and whether a contact has a notice.
   */
  {
    name: 'edited contacts',
    sql: `
    ALTER TABLE contacts ADD COLUMN received TEXT;
    ALTER TABLE deleted_contacts ADD COLUMN received TEXT;
    CREATE INDEX contacts_tagged ON contacts (user_id, held, tags) WHERE tags <> '[]';
    CREATE INDEX contacts_with_notice ON contacts (user_id) WHERE notice <> '';
  `,
  },
  /** The time zone of the day. Days of older versions are those of UTC. */
  {
    name: 'visit time zone',
    sql: "ALTER TABLE visit_counts ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';",
  },
  /**
   * The look and the logo that an owner has chosen; without a row the default one. On PostgreSQL a trigger
   * notifies all nodes, as for the row of the user (migration 2).
   */
  {
    name: 'appearance',
    sql: `
    CREATE TABLE appearances (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      palette TEXT NOT NULL DEFAULT 'photo',
      hue SMALLINT,
      logo TEXT NOT NULL DEFAULT '',
      version BIGINT NOT NULL
    );
  `,
    postgres: `
    CREATE FUNCTION tell_appearance() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('tessera_card', NEW.user_id);
        RETURN NULL;
      END $$;
    CREATE TRIGGER appearance_changed AFTER INSERT OR UPDATE ON appearances FOR EACH ROW
      EXECUTE FUNCTION tell_appearance();
  `,
  },
  /**
   * What the card carries besides (docs/product.md#more-on-your-card). On PostgreSQL a trigger notifies all
   * nodes, with the function of migration 18.
   */
  {
    name: 'extras',
    sql: `
    CREATE TABLE extras (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      upi TEXT NOT NULL DEFAULT '',
      gstin TEXT NOT NULL DEFAULT '',
      address TEXT NOT NULL DEFAULT '',
      version BIGINT NOT NULL
    );
  `,
    postgres: `
    CREATE TRIGGER extras_changed AFTER INSERT OR UPDATE ON extras FOR EACH ROW
      EXECUTE FUNCTION tell_appearance();
  `,
  },
  /**
   * A notification need not be about a contact: the queue has no reference to contacts any more. The
   * sender deletes a notification whose contact is gone.
   */
  {
    name: 'push notice',
    sql: '',
    sqlite: `
    ALTER TABLE push_messages RENAME TO previous_push_messages;
    CREATE TABLE push_messages (
      contact_id TEXT NOT NULL,
      session_hash TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      next_at BIGINT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (contact_id, session_hash)
    );
    INSERT INTO push_messages SELECT * FROM previous_push_messages;
    DROP TABLE previous_push_messages;
    CREATE INDEX push_messages_next ON push_messages (next_at);
    CREATE INDEX push_messages_of_session ON push_messages (session_hash, next_at);
  `,
    postgres: 'ALTER TABLE push_messages DROP CONSTRAINT push_messages_contact_id_fkey;',
  },
  /** For statements that read every row of their table. */
  {
    name: 'scans',
    sql: `
    CREATE INDEX challenges_of_phone ON challenges (phone);
    CREATE INDEX exchange_tokens_of_phone ON exchange_tokens (phone);
    CREATE INDEX push_messages_age ON push_messages (created_at);
    CREATE INDEX used_tokens_age ON used_tokens (used_at);
  `,
  },
  /** For the search of users by the start of their name, in any case (server/command/admin/store.ts). */
  {
    name: 'names',
    sql: '',
    sqlite: 'CREATE INDEX users_name ON users (lower(name))',
    // Comparisons by "C" are those of the bytes, as in SQLite.
    postgres: 'CREATE INDEX users_name ON users (lower(name) COLLATE "C")',
  },
  /** Changed cards of which a CDN has not been told yet, with the files that they had before. */
  {
    name: 'CDN purges',
    sql: `
    CREATE TABLE cdn_purges (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL,
      photo TEXT NOT NULL,
      logo TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      next_at BIGINT NOT NULL,
      sent INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX cdn_purges_next ON cdn_purges (next_at);
  `,
  },
  /**
   * Translations of a card (docs/product.md#translations): a JSON object by language. On PostgreSQL a
   * trigger notifies all nodes, with the function of migration 18.
   */
  {
    name: 'faces',
    sql: `
    CREATE TABLE faces (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      texts TEXT NOT NULL,
      version BIGINT NOT NULL
    );
  `,
    postgres: `
    CREATE TRIGGER faces_changed AFTER INSERT OR UPDATE ON faces FOR EACH ROW
      EXECUTE FUNCTION tell_appearance();
  `,
  },
  /** A change looks for a purge of its card that waits, and the cleanup for old ones. */
  {
    name: 'CDN purges of a user',
    sql: `
    CREATE INDEX cdn_purges_user ON cdn_purges (user_id);
    CREATE INDEX cdn_purges_created ON cdn_purges (created_at);
  `,
  },
] as const;
