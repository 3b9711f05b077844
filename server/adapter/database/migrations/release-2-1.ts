/**
 * Matches apostrophes, ħ, the Greek final sigma, the letters and marks of Hebrew and Arabic, the nasals of
 * Devanagari, and the letters of Bengali and Malayalam that have two encodings. GLOB and PostgreSQL read this
 * character class alike.
 */
const SEARCH_CHANGED = "[''`´‘’‛′ʹʻʼʽħĦς\u0591-\u06ff\u0901\u0902ङञणमৎൺ-ൿ]";

/**
 * Set `onlyAdds` to false for a migration that does more than add. A node of 2.0 may run beside this version
 * on PostgreSQL, so each of these is a transaction of its own.
 */
export const RELEASE_2_1 = [
  /**
   * 1 if the owner has chosen the palette of the row. A row that only has a logo has no chosen palette.
   * Version 2.0 stores a choice without setting this column (isLookChosen).
   */
  {
    number: 39,
    name: 'chosen look',
    sql: 'ALTER TABLE appearances ADD COLUMN chosen SMALLINT NOT NULL DEFAULT 0;',
  },
  /**
   * SQLite has json_each and json_extract. These functions give them to PostgreSQL: they return the
   * elements of a list, and the element at '$[n]', as texts. STRICT and ROWS 1 make the planner look each
   * element up in an index, even if its statistics are old. Without them a change of one contact reads
   * every contact of its owner (85 ms instead of 0.1 ms for 150,000).
   */
  {
    number: 40,
    name: 'lists',
    postgres: `
    CREATE FUNCTION json_each(list TEXT) RETURNS TABLE (value TEXT) LANGUAGE sql
      IMMUTABLE STRICT ROWS 1 AS $$ SELECT json_array_elements_text(CAST(list AS JSON)) $$;
    CREATE FUNCTION json_extract(list TEXT, path TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS
      $$ SELECT CAST(list AS JSON) ->> CAST(trim(path, '$[]') AS INTEGER) $$;
  `,
  },
  /**
   * Indexes that find the oldest waiting events of a webhook, the events of a contact, and stopped
   * webhooks.
   */
  {
    number: 41,
    name: 'waiting events',
    sql: `
    CREATE INDEX webhook_messages_age ON webhook_messages (webhook_id, created_at, id);
    CREATE INDEX webhook_messages_of_contact ON webhook_messages (contact_id);
    CREATE INDEX webhooks_stopped ON webhooks (secret) WHERE secret = '';
  `,
  },
  /**
   * The card link name of a removed account is kept as a hash (server/adapter/profile/card-address.ts). On
   * PostgreSQL a node of the previous version may run beside this one. It does not look for the hash, so
   * the trigger rejects the name there too.
   */
  {
    number: 42,
    name: 'hashed card addresses',
    postgres: `
    CREATE FUNCTION skip_removed_address() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM card_addresses
          WHERE name = encode(sha256(convert_to(NEW.name, 'UTF8')), 'hex')) THEN
          RETURN NULL;
        END IF;
        RETURN NEW;
      END $$;
    CREATE TRIGGER card_address_removed BEFORE INSERT ON card_addresses FOR EACH ROW
      EXECUTE FUNCTION skip_removed_address();
  `,
  },
  /**
   * The contacts of a removed user are deleted in batches, before the user. As long as `removed_contacts`
   * has the id of the user, their ids are not kept.
   */
  {
    number: 43,
    name: 'removal in batches',
    sqlite: `
    DROP TRIGGER contact_removed;
    CREATE TRIGGER contact_removed AFTER DELETE ON contacts
      WHEN EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id)
        AND NOT EXISTS (SELECT 1 FROM removed_contacts WHERE id = OLD.user_id)
      BEGIN
        INSERT INTO removed_contacts VALUES (OLD.id, unixepoch() * 1000) ON CONFLICT (id) DO NOTHING;
      END;
  `,
    postgres: `
    CREATE OR REPLACE FUNCTION add_removed_contact() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO removed_contacts
          SELECT OLD.id, floor(extract(epoch FROM now())) * 1000
            FROM users WHERE users.id = OLD.user_id
              AND NOT EXISTS (SELECT 1 FROM removed_contacts WHERE id = OLD.user_id)
          ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
  `,
  },
  /** How often an event has failed, and indexes that find the next event and earlier ones of its contact. */
  {
    number: 44,
    name: 'attempts of webhook events',
    sql: `
    ALTER TABLE webhook_messages ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX webhook_messages_order
      ON webhook_messages (webhook_id, contact_id, created_at);
    CREATE INDEX webhook_messages_turn ON webhook_messages (webhook_id, attempts, next_at);
  `,
  },
  /** The palette that the owner has picked by its name (domain/appearance.ts). */
  {
    number: 45,
    name: 'swatches',
    sql: 'ALTER TABLE appearances ADD COLUMN swatch SMALLINT;',
  },
  /** The email to which codes are sent with SMS_GATEWAY=email. Only the operator sets it. */
  {
    number: 46,
    name: 'sign-in emails',
    sql: `
    ALTER TABLE users ADD COLUMN login_email TEXT;
    ALTER TABLE invitations ADD COLUMN login_email TEXT;
  `,
  },
  /**
   * The issuer and the subject that sign in to an account (OTP_PROVIDER=oidc). A token carries them from the
   * company's login to the call that signs in, and whether they were verified just now.
   */
  {
    number: 47,
    name: 'subjects of a company login',
    sql: `
    ALTER TABLE users ADD COLUMN oidc_subject TEXT;
    CREATE UNIQUE INDEX users_oidc_subject ON users (oidc_subject);
    ALTER TABLE exchange_tokens ADD COLUMN oidc_subject TEXT;
    ALTER TABLE exchange_tokens ADD COLUMN is_fresh SMALLINT NOT NULL DEFAULT 0;
  `,
  },
  /** The credential's id and public key are in base64url. A day is stored as its start in UTC. */
  {
    number: 48,
    name: 'passkeys',
    sql: `
    CREATE TABLE passkeys (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      public_key TEXT NOT NULL,
      counter BIGINT NOT NULL,
      name TEXT NOT NULL,
      added_day BIGINT NOT NULL,
      used_day BIGINT
    );
    CREATE INDEX passkeys_of_user ON passkeys (user_id);
  `,
  },
  /**
   * `used_at` is the start in UTC of the day on which an account was last used, or null if that is not known.
   * Its change alone does not change a card's version. `own_devices` is 1 if device cookies of an earlier
   * account with the same number do not count, and `phone_lost_at` is when another account took the number.
   * `trusted` is 1 if a right code also came from a known device or by email.
   */
  {
    number: 49,
    name: 'use of accounts',
    sql: `
    ALTER TABLE users ADD COLUMN own_devices SMALLINT NOT NULL DEFAULT 0;
    ALTER TABLE users ADD COLUMN phone_lost_at BIGINT;
    CREATE INDEX users_without_phone ON users (phone_lost_at) WHERE phone_lost_at IS NOT NULL;
    ALTER TABLE challenges ADD COLUMN by_email SMALLINT NOT NULL DEFAULT 0;
    ALTER TABLE exchange_tokens ADD COLUMN trusted SMALLINT NOT NULL DEFAULT 0;
  `,
    sqlite: `
    ALTER TABLE users ADD COLUMN used_at BIGINT;
    UPDATE users SET used_at = unixepoch() / 86400 * 86400000;
  `,
    postgres: `
    ALTER TABLE users ADD COLUMN used_at BIGINT
      DEFAULT floor(extract(epoch FROM now()) / 86400) * 86400000;
    ALTER TABLE users ALTER COLUMN used_at DROP DEFAULT;
    DROP TRIGGER card_version ON users;
    CREATE TRIGGER card_version BEFORE UPDATE ON users FOR EACH ROW
      WHEN (to_jsonb(OLD) - 'palette_rule' - 'used_at'
          IS DISTINCT FROM to_jsonb(NEW) - 'palette_rule' - 'used_at'
        AND OLD.version = NEW.version)
      EXECUTE FUNCTION new_version();
    DROP TRIGGER card_changed ON users;
    CREATE TRIGGER card_changed AFTER UPDATE ON users FOR EACH ROW
      WHEN (to_jsonb(OLD) - 'used_at' IS DISTINCT FROM to_jsonb(NEW) - 'used_at')
      EXECUTE FUNCTION tell_card();
  `,
  },
  /**
   * A running table and the people at it. `identity` is the user's id, or the hash of the key in the cookie.
   * A person's id begins with the time of joining. `gone` is 'left' or 'removed', and the details are '' then.
   * The end of a table deletes its rows.
   */
  {
    number: 50,
    name: 'tables',
    sql: `
    CREATE TABLE shared_tables (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      ends_at BIGINT NOT NULL,
      is_open SMALLINT NOT NULL DEFAULT 1
    );
    CREATE TABLE table_people (
      id TEXT PRIMARY KEY,
      table_id TEXT NOT NULL REFERENCES shared_tables (id) ON DELETE CASCADE,
      identity TEXT NOT NULL,
      user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
      key_hash TEXT NOT NULL,
      name TEXT NOT NULL,
      designation TEXT NOT NULL,
      company_name TEXT NOT NULL,
      mobile TEXT NOT NULL,
      email TEXT NOT NULL,
      phone_key TEXT NOT NULL,
      gone TEXT,
      notice TEXT NOT NULL,
      receipt_hash TEXT,
      UNIQUE (table_id, identity)
    );
    CREATE INDEX table_people_of_user ON table_people (user_id);
    CREATE INDEX table_people_receipt ON table_people (receipt_hash);
  `,
  },
  /** The text of a notification that is neither about a contact nor fixed. */
  {
    number: 51,
    name: 'texts of notifications',
    sql: 'ALTER TABLE push_messages ADD COLUMN body TEXT;',
  },
  /**
   * Since 2.1.1 a search ignores apostrophes and the dots of initials, and treats variants of a letter as the same
   * letter (domain/contact-search.ts). If `search` is null, the next start writes the search text again.
   */
  {
    number: 52,
    name: 'searches without apostrophes',
    sqlite: `UPDATE contacts SET search = NULL
      WHERE search || name || company_name || tags GLOB '*${SEARCH_CHANGED}*' OR name LIKE '%.%';`,
    postgres: `UPDATE contacts SET search = NULL
      WHERE search || name || company_name || tags ~ '${SEARCH_CHANGED}' OR name LIKE '%.%';`,
  },
] as const;
