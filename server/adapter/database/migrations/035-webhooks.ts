/**
 * One webhook of an owner, its secrets encrypted; the events that are not sent yet, whose contact is
 * read when they are; and the last deliveries.
 */
export const webhooks = {
  number: 35,
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
} as const;
