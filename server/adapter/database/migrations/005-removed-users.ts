/**
 * The SHA-256 of the ids of removed users, for a day and until all their files are removed: photo files
 * may outlive the row, for example while the photo store does not answer.
 */
export const removedUsers = {
  number: 5,
  name: 'removed users',
  sql: `
    CREATE TABLE removed_users (
      id_hash TEXT PRIMARY KEY,
      removed_at BIGINT NOT NULL,
      is_finished INTEGER NOT NULL DEFAULT 0
    );
  `,
};
