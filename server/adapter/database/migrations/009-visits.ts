/**
 * The visits of cards: counts by day and kind; and, until the end of the day only, hashes of visitors
 * with the salt that they are made with. A day is the time of its start in UTC, in milliseconds.
 */
export const visits = {
  number: 9,
  name: 'visits',
  sql: `
    CREATE TABLE visit_counts (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      day BIGINT NOT NULL,
      kind TEXT NOT NULL,
      count BIGINT NOT NULL
    );
    CREATE INDEX visit_counts_of_user ON visit_counts (user_id, day);
    CREATE INDEX visit_counts_day ON visit_counts (day);

    CREATE TABLE visitor_hashes (
      hash TEXT PRIMARY KEY,
      day BIGINT NOT NULL
    );

    CREATE TABLE visitor_salts (
      day BIGINT PRIMARY KEY,
      salt TEXT NOT NULL
    );
  `,
};
