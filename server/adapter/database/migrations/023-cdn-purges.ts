/** Changed cards of which a CDN has not been told yet, with the files that they had before. */
export const cdnPurges = {
  number: 23,
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
};
