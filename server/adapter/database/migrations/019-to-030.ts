export const MIGRATIONS_19_TO_30 = [
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
  /**
   * Due time, failed attempts and the page's origin of a subscription. Nodes of version 1.1 go on using
   * the columns of the messages.
   */
  {
    name: 'queue target',
    sql: `
    ALTER TABLE push_subscriptions ADD COLUMN next_at BIGINT;
    ALTER TABLE push_subscriptions ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE push_subscriptions ADD COLUMN origin TEXT NOT NULL DEFAULT '';
    CREATE INDEX push_subscriptions_next ON push_subscriptions (next_at);
  `,
  },
  /** The digits of a one-time code; null for one that a node of an earlier version has sent. */
  {
    name: 'code length',
    sql: 'ALTER TABLE challenges ADD COLUMN code_length INTEGER;',
  },
  /** Finds the ids that have expired. */
  {
    name: 'time of removed users',
    sql: 'CREATE INDEX removed_users_time ON removed_users (removed_at);',
  },
  /**
   * Contacts that their owner has added. `added_contacts` keeps the browser's id of each, also when it is
   * deleted, so that a repeated call adds nothing. `mobile_key` (E.164) and `email_key` (small letters)
   * are '' for none, and null until contacts are compared.
   */
  {
    name: 'added contacts',
    sql: `
    CREATE TABLE added_contacts (
      contact_id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      client_id TEXT NOT NULL,
      UNIQUE (user_id, client_id)
    );
    ALTER TABLE contacts ADD COLUMN source TEXT NOT NULL DEFAULT '';
    ALTER TABLE deleted_contacts ADD COLUMN source TEXT NOT NULL DEFAULT '';
    ALTER TABLE contacts ADD COLUMN mobile_key TEXT;
    ALTER TABLE contacts ADD COLUMN email_key TEXT;
    ALTER TABLE deleted_contacts ADD COLUMN mobile_key TEXT;
    ALTER TABLE deleted_contacts ADD COLUMN email_key TEXT;
    CREATE INDEX contacts_by_mobile ON contacts (user_id, mobile_key) WHERE mobile_key IS NOT NULL;
    CREATE INDEX contacts_by_email ON contacts (user_id, email_key) WHERE email_key IS NOT NULL;
    CREATE INDEX contacts_not_compared ON contacts (user_id) WHERE mobile_key IS NULL;
  `,
  },
  /**
   * The names of addresses `/@name` (docs/product.md#card-address), with what each owner has had. One without
   * an owner was removed with its account, and is free again 90 days after `removed_at`, which the cleanup
   * sets. On PostgreSQL a trigger notifies all nodes.
   */
  {
    name: 'card-addresses',
    sql: `
    CREATE TABLE card_addresses (
      name TEXT PRIMARY KEY,
      user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
      state TEXT NOT NULL,
      is_counted SMALLINT NOT NULL,
      claimed_at BIGINT NOT NULL,
      removed_at BIGINT
    );
    CREATE INDEX card_addresses_user ON card_addresses (user_id);
    CREATE INDEX card_addresses_removed ON card_addresses (removed_at);
    CREATE UNIQUE INDEX card_addresses_current ON card_addresses (user_id) WHERE state = 'current';
  `,
    postgres: `
    CREATE FUNCTION tell_card_address() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' AND OLD.user_id IS NOT NULL THEN
          PERFORM pg_notify('tessera_card', OLD.user_id);
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.user_id IS NOT NULL THEN
          PERFORM pg_notify('tessera_card', NEW.user_id);
        END IF;
        RETURN NULL;
      END $$;
    CREATE TRIGGER card_address_changed AFTER INSERT OR UPDATE OR DELETE ON card_addresses
      FOR EACH ROW EXECUTE FUNCTION tell_card_address();
  `,
  },
] as const;
