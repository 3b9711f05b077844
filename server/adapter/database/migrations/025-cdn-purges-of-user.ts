/** A change looks for a purge of its card that waits, and the cleanup for old ones. */
export const cdnPurgesOfUser = {
  number: 25,
  name: 'CDN purges of a user',
  sql: `
    CREATE INDEX cdn_purges_user ON cdn_purges (user_id);
    CREATE INDEX cdn_purges_created ON cdn_purges (created_at);
  `,
};
