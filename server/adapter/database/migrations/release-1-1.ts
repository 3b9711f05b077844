/** Push, visits, the Contacts view, the look of a card, extras, translations and administration. */
export const RELEASE_1_1 = {
  number: 24,
  name: '1.1.0',
  sql: `
    -- The version of a card for If-Match is a random number that changes with the row, because a counter
    -- would repeat after a restore.
    ALTER TABLE users ADD COLUMN version BIGINT NOT NULL DEFAULT 0;
    -- When an operator has blocked the user.
    ALTER TABLE users ADD COLUMN blocked_at BIGINT;
    -- The palette of the photo (domain/palette.ts). Null if it is not known, -1 if the photo is grey.
    ALTER TABLE users ADD COLUMN photo_palette SMALLINT;
    CREATE INDEX users_without_palette ON users (id)
      WHERE photo_palette IS NULL AND profile_photo <> '';

    -- The SHA-256 of the ids of removed users, whose photo files may outlive the row (remove-user.ts).
    CREATE TABLE removed_users (
      id_hash TEXT PRIMARY KEY,
      removed_at BIGINT NOT NULL,
      is_finished INTEGER NOT NULL DEFAULT 0
    );

    -- The browser and system of a session, as the owner reads them: 'Chrome on Android'.
    ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';

    CREATE TABLE audit (
      id TEXT PRIMARY KEY,
      created_at BIGINT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      reason TEXT NOT NULL
    );
    CREATE INDEX audit_time ON audit (created_at);
    CREATE INDEX audit_subject ON audit (subject, created_at);

    -- Push subscriptions, each of which ends with its session, and waiting notifications. A notification
    -- does not refer to its subscription, so that a new contact never waits for the lock of a log out.
    CREATE TABLE push_subscriptions (
      session_hash TEXT PRIMARY KEY REFERENCES sessions (token_hash) ON DELETE CASCADE,
      user_id TEXT NOT NULL,
      endpoint TEXT NOT NULL UNIQUE,
      p256dh TEXT NOT NULL,
      auth TEXT NOT NULL,
      created_at BIGINT NOT NULL
    );
    CREATE INDEX push_subscriptions_of_user ON push_subscriptions (user_id, created_at);
    CREATE TABLE push_messages (
      contact_id TEXT NOT NULL,
      session_hash TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      next_at BIGINT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (contact_id, session_hash)
    );
    CREATE INDEX push_messages_next ON push_messages (next_at);
    CREATE INDEX push_messages_of_session ON push_messages (session_hash, next_at);
    CREATE INDEX push_messages_age ON push_messages (created_at);

    -- Visits by day and kind and, until the end of the day only, hashes of visitors with the salt that they
    -- are made with. A day is the time of its start in UTC, in milliseconds.
    CREATE TABLE visit_counts (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      day BIGINT NOT NULL,
      kind TEXT NOT NULL,
      count BIGINT NOT NULL,
      time_zone TEXT NOT NULL DEFAULT 'UTC'
    );
    CREATE INDEX visit_counts_of_user ON visit_counts (user_id, day);
    CREATE INDEX visit_counts_day ON visit_counts (day);
    CREATE TABLE visitor_hashes (
      hash TEXT PRIMARY KEY,
      day BIGINT NOT NULL
    );
    CREATE INDEX visitor_hashes_day ON visitor_hashes (day);
    CREATE TABLE visitor_salts (
      day BIGINT PRIMARY KEY,
      salt TEXT NOT NULL
    );

    -- notice is the version of the notice that the visitor saw. search is written with each contact and, in
    -- the form of its first characters, sorts by name; fillSearch() writes it to older rows. held_source is
    -- a keyed hash of the network from which a held contact came (docs/develop/security.md#limits). received is what
    -- the visitor sent, as JSON, if the owner has edited the contact. Nothing uses name_key any more.
    ALTER TABLE contacts ADD COLUMN note TEXT NOT NULL DEFAULT '';
    ALTER TABLE contacts ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE contacts ADD COLUMN notice TEXT NOT NULL DEFAULT '';
    ALTER TABLE contacts ADD COLUMN search TEXT;
    ALTER TABLE contacts ADD COLUMN name_key TEXT;
    ALTER TABLE contacts ADD COLUMN held_source TEXT NOT NULL DEFAULT '';
    ALTER TABLE contacts ADD COLUMN received TEXT;
    CREATE INDEX contacts_by_name
      ON contacts (user_id, held, COALESCE(substr(search, 1, 100), ''), id);
    CREATE INDEX contacts_not_folded ON contacts (user_id) WHERE search IS NULL;
    CREATE INDEX contacts_held_sources ON contacts (user_id, held_source, id) WHERE held = 1;
    CREATE INDEX contacts_tagged ON contacts (user_id, held, tags) WHERE tags <> '[]';
    CREATE INDEX contacts_with_notice ON contacts (user_id) WHERE notice <> '';

    -- A deleted contact is here until it can no longer be restored.
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
      deleted_at BIGINT NOT NULL,
      held_source TEXT NOT NULL DEFAULT '',
      received TEXT
    );
    CREATE INDEX deleted_contacts_of_user ON deleted_contacts (user_id);
    CREATE INDEX deleted_contacts_time ON deleted_contacts (deleted_at);

    -- The ids of deleted contacts, so that a restored backup does not bring them back. Those of a removed
    -- user go with the user.
    CREATE TABLE removed_contacts (
      id TEXT PRIMARY KEY,
      removed_at BIGINT NOT NULL
    );
    CREATE INDEX removed_contacts_time ON removed_contacts (removed_at);

    -- The look and the logo that an owner has chosen; without a row the default one.
    CREATE TABLE appearances (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      palette TEXT NOT NULL DEFAULT 'photo',
      hue SMALLINT,
      logo TEXT NOT NULL DEFAULT '',
      version BIGINT NOT NULL
    );

    -- More on the card (docs/develop/product.md#more-on-your-card).
    CREATE TABLE extras (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      upi TEXT NOT NULL DEFAULT '',
      gstin TEXT NOT NULL DEFAULT '',
      address TEXT NOT NULL DEFAULT '',
      version BIGINT NOT NULL
    );

    -- Translations of a card as a JSON object by language (docs/develop/product.md#translations).
    CREATE TABLE faces (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      texts TEXT NOT NULL,
      version BIGINT NOT NULL
    );

    -- Only version 1.1 used this table.
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

    CREATE INDEX challenges_of_phone ON challenges (phone);
    CREATE INDEX exchange_tokens_of_phone ON exchange_tokens (phone);
    CREATE INDEX used_tokens_age ON used_tokens (used_at);
  `,
  /** The index on names finds users by the start of their name in any case (server/command/admin/store.ts). */
  sqlite: `
    CREATE INDEX users_name ON users (lower(name));
    CREATE TRIGGER contact_removed AFTER DELETE ON contacts
      WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id)
      BEGIN
        INSERT INTO removed_contacts VALUES (OLD.id, unixepoch() * 1000) ON CONFLICT (id) DO NOTHING;
      END;
  `,
  /** The collation "C" sorts by bytes, as SQLite does. */
  postgres: `
    ALTER TABLE contacts ALTER COLUMN name_key TYPE TEXT COLLATE "C";
    ALTER TABLE contacts ALTER COLUMN search TYPE TEXT COLLATE "C";
    ALTER TABLE deleted_contacts ALTER COLUMN id TYPE TEXT COLLATE "C";
    CREATE INDEX users_name ON users (lower(name) COLLATE "C");

    CREATE FUNCTION new_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.version := floor(random() * 281474976710655);
        RETURN NEW;
      END $$;
    CREATE TRIGGER card_version BEFORE UPDATE ON users FOR EACH ROW
      WHEN (OLD.* IS DISTINCT FROM NEW.* AND OLD.version = NEW.version)
      EXECUTE FUNCTION new_version();

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

    CREATE FUNCTION tell_appearance() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('tessera_card', NEW.user_id);
        RETURN NULL;
      END $$;
    CREATE TRIGGER appearance_changed AFTER INSERT OR UPDATE ON appearances FOR EACH ROW
      EXECUTE FUNCTION tell_appearance();
    CREATE TRIGGER extras_changed AFTER INSERT OR UPDATE ON extras FOR EACH ROW
      EXECUTE FUNCTION tell_appearance();
    CREATE TRIGGER faces_changed AFTER INSERT OR UPDATE ON faces FOR EACH ROW
      EXECUTE FUNCTION tell_appearance();
  `,
} as const;
