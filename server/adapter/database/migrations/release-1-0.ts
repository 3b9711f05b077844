/** Users and their cards, sessions, used tokens, one-time codes, counters, contacts. */
export const RELEASE_1_0 = {
  number: 3,
  name: '1.0.0',
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

    -- held is 1 for a contact beyond the card's daily limit.
    CREATE TABLE contacts (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      mobile TEXT NOT NULL,
      email TEXT NOT NULL,
      company_name TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      held INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX contacts_of_user ON contacts (user_id, held, id);

    -- The seed of the key for one-time codes, which all nodes share.
    CREATE TABLE seeds (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    );
  `,
  /**
   * SQLite has json_patch (RFC 7396). This one supports flat objects only. The triggers notify all nodes of
   * each changed card when its transaction commits.
   */
  postgres: `
    CREATE FUNCTION json_patch(target TEXT, patch TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
      $$ SELECT jsonb_strip_nulls(target::jsonb || patch::jsonb)::text $$;
    ALTER TABLE contacts ALTER COLUMN id TYPE TEXT COLLATE "C";

    CREATE FUNCTION tell_card() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('tessera_card', OLD.id);
        RETURN NULL;
      END $$;
    CREATE TRIGGER card_changed AFTER UPDATE ON users FOR EACH ROW
      WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_card();
    CREATE TRIGGER card_removed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION tell_card();
  `,
} as const;
