export const MIGRATIONS_31_TO_38 = [
  /** A version starts on newer migrations that all only add, so that an upgrade can be taken back. */
  {
    name: 'adding migrations',
    sql: 'ALTER TABLE migrations ADD COLUMN only_adds INTEGER NOT NULL DEFAULT 0;',
    onlyAdds: true,
  },
  /** A second phone and e-mail and links of the owner's own, as JSON (docs/product.md#more-on-your-card). */
  {
    name: 'more-extras',
    sql: ['second_phone', 'second_email', 'links']
      .map((column) => `ALTER TABLE extras ADD COLUMN ${column} TEXT NOT NULL DEFAULT '';`)
      .join('\n'),
    onlyAdds: true,
  },
  /** The phones (E.164) that may sign up with SIGNUP=invited, and the names that their cards begin with. */
  {
    name: 'invitations',
    sql: `
    CREATE TABLE invitations (
      phone TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      created_at BIGINT NOT NULL
    );
  `,
    onlyAdds: true,
  },
  /**
   * When the owner last wrote to a contact, the day of a reminder with its time zone, and when its push
   * is due (null if it was sent); and the owner's templates, as JSON.
   */
  {
    name: 'follow up',
    onlyAdds: true,
    sql: `
    ALTER TABLE contacts ADD COLUMN contacted_at BIGINT;
    ALTER TABLE contacts ADD COLUMN reminder_day TEXT;
    ALTER TABLE contacts ADD COLUMN reminder_at BIGINT;
    ALTER TABLE deleted_contacts ADD COLUMN contacted_at BIGINT;
    ALTER TABLE deleted_contacts ADD COLUMN reminder_day TEXT;
    ALTER TABLE deleted_contacts ADD COLUMN reminder_at BIGINT;
    CREATE INDEX contacts_reminded ON contacts (user_id, reminder_day) WHERE reminder_day IS NOT NULL;
    CREATE INDEX contacts_due ON contacts (reminder_at) WHERE reminder_at IS NOT NULL;
    CREATE TABLE templates (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      templates TEXT NOT NULL
    );
  `,
  },
  /**
   * One webhook of an owner, its secrets encrypted; the events that are not sent yet, whose contact is
   * read when they are; and the last deliveries.
   */
  {
    name: 'webhooks',
    onlyAdds: true,
    sql: `
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
  `,
  },
  /**
   * The rule by which the palette of a photo was found (ringPalette): null for one of an earlier version,
   * which the card keeps until the cleanup has read the photo again (not one that a node of 1.1 replaces later). Another rule sets all to null.
   */
  {
    name: 'palette rule',
    onlyAdds: true,
    sql: `
    ALTER TABLE users ADD COLUMN palette_rule SMALLINT;
    CREATE INDEX users_without_palette_rule ON users (id)
      WHERE palette_rule IS NULL AND profile_photo <> '';
  `,
  },
  /**
   * `notices` has the text of each version that visitors saw. `receipt_hash` is the SHA-256 of the token of a
   * contact's receipt, null without one. `withdrawals` has when visitors withdrew their details, and from
   * whose list.
   */
  {
    name: 'receipts',
    onlyAdds: true,
    sql: `
    CREATE TABLE notices (
      version TEXT PRIMARY KEY,
      language TEXT NOT NULL,
      text TEXT NOT NULL
    );
    ALTER TABLE contacts ADD COLUMN receipt_hash TEXT;
    ALTER TABLE deleted_contacts ADD COLUMN receipt_hash TEXT;
    CREATE INDEX contacts_receipt ON contacts (receipt_hash) WHERE receipt_hash IS NOT NULL;
    CREATE INDEX deleted_contacts_receipt ON deleted_contacts (receipt_hash)
      WHERE receipt_hash IS NOT NULL;
    CREATE TABLE withdrawals (
      contact_id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      withdrawn_at BIGINT NOT NULL
    );
    CREATE INDEX withdrawals_of_user ON withdrawals (user_id, withdrawn_at);
    CREATE INDEX withdrawals_time ON withdrawals (withdrawn_at);
  `,
  },
  /** The rule alone does not change a card's version (number 4): an open Edit Profile still saves. */
  {
    name: 'version without palette rule',
    onlyAdds: true,
    sql: '',
    postgres: `
    DROP TRIGGER card_version ON users;
    CREATE TRIGGER card_version BEFORE UPDATE ON users FOR EACH ROW
      WHEN (to_jsonb(OLD) - 'palette_rule' IS DISTINCT FROM to_jsonb(NEW) - 'palette_rule'
        AND OLD.version = NEW.version)
      EXECUTE FUNCTION new_version();
  `,
  },
] as const;
