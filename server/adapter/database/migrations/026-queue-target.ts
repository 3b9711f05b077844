/**
 * Due time, failed attempts and the page's origin of a subscription. Nodes of version 1.1 go on using
 * the columns of the messages.
 */
export const queueTarget = {
  number: 26,
  name: 'queue target',
  sql: `
    ALTER TABLE push_subscriptions ADD COLUMN next_at BIGINT;
    ALTER TABLE push_subscriptions ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE push_subscriptions ADD COLUMN origin TEXT NOT NULL DEFAULT '';
    CREATE INDEX push_subscriptions_next ON push_subscriptions (next_at);
  `,
};
