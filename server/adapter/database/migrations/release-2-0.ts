/** Card links, added contacts, follow-ups, webhooks, receipts and invitations. */
export const RELEASE_2_0 = {
  number: 38,
  name: '2.0.0',
  sql: `
    -- A version starts on newer migrations that all only add, so that an upgrade can be taken back.
    ALTER TABLE migrations ADD COLUMN only_adds INTEGER NOT NULL DEFAULT 0;

    CREATE INDEX cdn_purges_user ON cdn_purges (user_id);
    CREATE INDEX cdn_purges_created ON cdn_purges (created_at);

    -- The due time, the failed attempts and the page's origin of a subscription.
    ALTER TABLE push_subscriptions ADD COLUMN next_at BIGINT;
    ALTER TABLE push_subscriptions ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE push_subscriptions ADD COLUMN origin TEXT NOT NULL DEFAULT '';
    CREATE INDEX push_subscriptions_next ON push_subscriptions (next_at);

    -- The number of digits of a one-time code. Null if version 1.1 has sent it.
    ALTER TABLE challenges ADD COLUMN code_length INTEGER;
    CREATE INDEX removed_users_time ON removed_users (removed_at);

    -- The rule by which the palette of a photo was found. Only version 2.0 used it.
    ALTER TABLE users ADD COLUMN palette_rule SMALLINT;
    CREATE INDEX users_without_palette_rule ON users (id)
      WHERE palette_rule IS NULL AND profile_photo <> '';

    -- A second phone and email, and links as JSON (docs/develop/product.md#more-on-your-card).
    ALTER TABLE extras ADD COLUMN second_phone TEXT NOT NULL DEFAULT '';
    ALTER TABLE extras ADD COLUMN second_email TEXT NOT NULL DEFAULT '';
    ALTER TABLE extras ADD COLUMN links TEXT NOT NULL DEFAULT '';

    -- Contacts that their owner has added. added_contacts keeps the browser's id of each, even after the
    -- contact is deleted, so that a repeated call adds nothing.
    CREATE TABLE added_contacts (
      contact_id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      client_id TEXT NOT NULL,
      UNIQUE (user_id, client_id)
    );

    -- The present and former addresses of cards (docs/develop/product.md#card-link). An address without a user
    -- was removed with its account. It is free again 90 days after removed_at.
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

    -- The phones (E.164) that may sign up if SIGNUP is invited, and the names that their cards begin with.
    CREATE TABLE invitations (
      phone TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      created_at BIGINT NOT NULL
    );

    -- The templates of an owner are JSON.
    CREATE TABLE templates (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      templates TEXT NOT NULL
    );

    -- The webhook of an owner with its encrypted secrets, its waiting events, and its last deliveries.
    CREATE TABLE webhooks (
      webhook_id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
      endpoint TEXT NOT NULL,
      secret TEXT NOT NULL,
      previous_secret TEXT NOT NULL DEFAULT '',
      previous_until BIGINT NOT NULL DEFAULT 0,
      next_at BIGINT,
      attempts INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX webhooks_next ON webhooks (next_at);
    CREATE TABLE webhook_messages (
      id TEXT PRIMARY KEY,
      webhook_id TEXT NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      contact_id TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      next_at BIGINT NOT NULL
    );
    CREATE INDEX webhook_messages_next ON webhook_messages (next_at);
    CREATE INDEX webhook_messages_of_webhook ON webhook_messages (webhook_id, next_at);
    CREATE INDEX webhook_messages_created ON webhook_messages (created_at);
    CREATE TABLE webhook_deliveries (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      type TEXT NOT NULL,
      status TEXT NOT NULL,
      sent_at BIGINT NOT NULL
    );
    CREATE INDEX webhook_deliveries_of_user ON webhook_deliveries (user_id, sent_at);

    -- The text of each version of the notice, and when visitors withdrew their details from whose list.
    CREATE TABLE notices (
      version TEXT PRIMARY KEY,
      language TEXT NOT NULL,
      text TEXT NOT NULL
    );
    CREATE TABLE withdrawals (
      contact_id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      withdrawn_at BIGINT NOT NULL
    );
    CREATE INDEX withdrawals_of_user ON withdrawals (user_id, withdrawn_at);
    CREATE INDEX withdrawals_time ON withdrawals (withdrawn_at);
    ${['contacts', 'deleted_contacts'].map(addContactColumns).join('')}
    CREATE INDEX contacts_by_mobile ON contacts (user_id, mobile_key) WHERE mobile_key IS NOT NULL;
    CREATE INDEX contacts_by_email ON contacts (user_id, email_key) WHERE email_key IS NOT NULL;
    CREATE INDEX contacts_not_compared ON contacts (user_id) WHERE mobile_key IS NULL;
    CREATE INDEX contacts_reminded ON contacts (user_id, reminder_day) WHERE reminder_day IS NOT NULL;
    CREATE INDEX contacts_due ON contacts (reminder_at) WHERE reminder_at IS NOT NULL;
  `,
  postgres: `
    ${versionWithoutPaletteRule()}
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
} as const;

/** The first commit named 'Release 2.0.0' ends with migration 37, and lacks only this one. */
export const END_OF_RELEASE_2_0 = {
  after: 37,
  number: RELEASE_2_0.number,
  name: RELEASE_2_0.name,
  postgres: versionWithoutPaletteRule(),
} as const;

/** If only the palette's rule changes, a card keeps its version, so that an open Edit Profile can still save. */
function versionWithoutPaletteRule(): string {
  return `
    DROP TRIGGER card_version ON users;
    CREATE TRIGGER card_version BEFORE UPDATE ON users FOR EACH ROW
      WHEN (to_jsonb(OLD) - 'palette_rule' IS DISTINCT FROM to_jsonb(NEW) - 'palette_rule'
        AND OLD.version = NEW.version)
      EXECUTE FUNCTION new_version();
  `;
}

/**
 * `mobile_key` (E.164) and `email_key` (small letters) are null until contacts are compared. `contacted_at`
 * is when the owner last wrote, and `reminder_at` is null if the notification of the reminder was sent.
 * `receipt_hash` is the SHA-256 of the token of the receipt.
 */
function addContactColumns(table: string): string {
  return `
    ALTER TABLE ${table} ADD COLUMN source TEXT NOT NULL DEFAULT '';
    ALTER TABLE ${table} ADD COLUMN mobile_key TEXT;
    ALTER TABLE ${table} ADD COLUMN email_key TEXT;
    ALTER TABLE ${table} ADD COLUMN contacted_at BIGINT;
    ALTER TABLE ${table} ADD COLUMN reminder_day TEXT;
    ALTER TABLE ${table} ADD COLUMN reminder_at BIGINT;
    ALTER TABLE ${table} ADD COLUMN receipt_hash TEXT;
    CREATE INDEX ${table}_receipt ON ${table} (receipt_hash) WHERE receipt_hash IS NOT NULL;
  `;
}
