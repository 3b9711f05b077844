/**
 * A notification need not be about a contact: the queue has no reference to contacts any more. The
 * sender deletes a notification whose contact is gone.
 */
export const pushNotice = {
  number: 20,
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
};
