/** Users and their cards, sessions, used tokens, one-time codes, counters, contacts. */
export const initial = {
  number: 1,
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
};
