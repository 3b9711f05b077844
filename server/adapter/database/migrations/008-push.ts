/**
 * Push subscriptions, one for a session at most, and the notifications that are not sent yet. A
 * subscription ends with its session. A notification has no reference to its subscription: the insert
 * of a contact then waits for no lock of a log out.
 */
export const push = {
  number: 8,
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
};
