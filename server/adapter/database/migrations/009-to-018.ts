export const MIGRATIONS_9_TO_18 = [
  /**
   * The visits of cards: counts by day and kind; and, until the end of the day only, hashes of visitors
   * with the salt that they are made with. A day is the time of its start in UTC, in milliseconds.
   */
  {
    name: 'visits',
    sql: `
    CREATE TABLE visit_counts (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      day BIGINT NOT NULL,
      kind TEXT NOT NULL,
      count BIGINT NOT NULL
    );
    CREATE INDEX visit_counts_of_user ON visit_counts (user_id, day);
    CREATE INDEX visit_counts_day ON visit_counts (day);

    CREATE TABLE visitor_hashes (
      hash TEXT PRIMARY KEY,
      day BIGINT NOT NULL
    );

    CREATE TABLE visitor_salts (
      day BIGINT PRIMARY KEY,
      salt TEXT NOT NULL
    );
  `,
  },
  /**
   * The columns of the Contacts view: note, tags, and the texts that it searches and sorts by, which are
   * null until the view is on. `notice` is the version of the notice that the
   * visitor saw. A deleted contact is moved to `deleted_contacts` until it can no longer be restored.
   */
  {
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
  },
  /** Finds the hashes of earlier days without reading those of today. */
  {
    name: 'visitor day',
    sql: 'CREATE INDEX visitor_hashes_day ON visitor_hashes (day);',
  },
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
] as const;
