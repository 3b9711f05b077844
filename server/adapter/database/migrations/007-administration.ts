/**
 * When an operator has blocked a user, null for a user who is not blocked, and the changes that
 * operators made.
 */
export const administration = {
  number: 7,
  name: 'administration',
  sql: `
    ALTER TABLE users ADD COLUMN blocked_at BIGINT;

    CREATE TABLE audit (
      id TEXT PRIMARY KEY,
      created_at BIGINT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      reason TEXT NOT NULL
    );
    CREATE INDEX audit_time ON audit (created_at);
    CREATE INDEX audit_subject ON audit (subject, created_at);
  `,
};
