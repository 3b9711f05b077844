export const MIGRATIONS_1_TO_8 = [
  /** Users and their cards, sessions, used tokens, one-time codes, counters, contacts. */
  {
    name: 'start',
    sql: `
    CREATE TABLE users (
      id TEXT PRIMARY KEY,
      login_phone TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL DEFAULT '',
      designation TEXT NOT NULL DEFAULT '',
      company_name TEXT NOT NULL DEFAULT '',
      bio TEXT NOT NULL DEFAULT '',
      phone TEXT NOT NULL DEFAULT '',
      email TEXT NOT NULL DEFAULT '',
      profile_photo TEXT NOT NULL DEFAULT '',
      social_media_handles TEXT NOT NULL DEFAULT '{}',
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    );

    CREATE TABLE sessions (
      token_hash TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_at BIGINT NOT NULL,
      used_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX sessions_of_user ON sessions (user_id, created_at);
    CREATE INDEX sessions_expiry ON sessions (expires_at);

    CREATE TABLE used_tokens (
      token_hash TEXT PRIMARY KEY,
      used_at BIGINT NOT NULL
    );

    CREATE TABLE challenges (
      id TEXT PRIMARY KEY,
      phone TEXT NOT NULL,
      code_hmac TEXT NOT NULL,
      tries INTEGER NOT NULL DEFAULT 0,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX challenges_expiry ON challenges (expires_at);

    CREATE TABLE exchange_tokens (
      token_hash TEXT PRIMARY KEY,
      phone TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX exchange_tokens_expiry ON exchange_tokens (expires_at);

    CREATE TABLE counters (
      key TEXT PRIMARY KEY,
      count INTEGER NOT NULL,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX counters_expiry ON counters (expires_at);

    CREATE TABLE contacts (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      mobile TEXT NOT NULL,
      email TEXT NOT NULL,
      company_name TEXT NOT NULL,
      created_at BIGINT NOT NULL
    );
    CREATE INDEX contacts_of_user ON contacts (user_id, id);
  `,
    // SQLite has json_patch (RFC 7396). This one for PostgreSQL supports flat objects only.
    postgres: `
    CREATE FUNCTION json_patch(target TEXT, patch TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
      $$ SELECT jsonb_strip_nulls(target::jsonb || patch::jsonb)::text $$;
    ALTER TABLE contacts ALTER COLUMN id TYPE TEXT COLLATE "C";
  `,
  },
  /**
   * A seed of the key for one-time codes, shared by all nodes; and, on PostgreSQL, a trigger that
   * notifies all nodes of each changed card when its transaction commits.
   */
  {
    name: 'invalidation',
    sql: `
    CREATE TABLE seeds (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    );
  `,
    postgres: `
    CREATE FUNCTION tell_card() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('tessera_card', OLD.id);
        RETURN NULL;
      END $$;
    CREATE TRIGGER card_changed AFTER UPDATE ON users FOR EACH ROW
      WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_card();
    CREATE TRIGGER card_removed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION tell_card();
  `,
  },
  /** Adds `held`: 1 for a contact beyond the card's daily limit. */
  {
    name: 'held contacts',
    sql: `
    ALTER TABLE contacts ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
    DROP INDEX contacts_of_user;
    CREATE INDEX contacts_of_user ON contacts (user_id, held, id);
  `,
  },
  /**
   * The version of a card for `If-Match`: a random number that changes with the row. A counter would
   * repeat after a restore. On PostgreSQL a trigger sets it if a statement does not set it, for example
   * one from a node of an older release. SQLite has one node only.
   */
  {
    name: 'profile version',
    sql: 'ALTER TABLE users ADD COLUMN version BIGINT NOT NULL DEFAULT 0;',
    postgres: `
    CREATE FUNCTION new_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.version := floor(random() * 281474976710655);
        RETURN NEW;
      END $$;
    CREATE TRIGGER card_version BEFORE UPDATE ON users FOR EACH ROW
      WHEN (OLD.* IS DISTINCT FROM NEW.* AND OLD.version = NEW.version)
      EXECUTE FUNCTION new_version();
  `,
  },
  /**
   * The SHA-256 of the ids of removed users, for a day and until all their files are removed: photo files
   * may outlive the row, for example while the photo store does not answer.
   */
  {
    name: 'removed users',
    sql: `
    CREATE TABLE removed_users (
      id_hash TEXT PRIMARY KEY,
      removed_at BIGINT NOT NULL,
      is_finished INTEGER NOT NULL DEFAULT 0
    );
  `,
  },
  /** The browser and system of a session, as the owner reads them: 'Chrome on Android'. */
  {
    name: 'session device',
    sql: "ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';",
  },
  /**
   * When an operator has blocked a user, null for a user who is not blocked, and the changes that
   * operators made.
   */
  {
    name: 'administration',
    sql: `
    ALTER TABLE users ADD COLUMN blocked_at BIGINT;

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
  `,
  },
  /**
   * Push subscriptions, one for a session at most, and the notifications that are not sent yet. A
   * subscription ends with its session. A notification has no reference to its subscription: the insert
   * of a contact then waits for no lock of a log out.
   */
  {
    name: 'push',
    sql: `
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
      contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
      session_hash TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      next_at BIGINT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (contact_id, session_hash)
    );
    CREATE INDEX push_messages_next ON push_messages (next_at);
    CREATE INDEX push_messages_of_session ON push_messages (session_hash, next_at);
  `,
  },
] as const;
