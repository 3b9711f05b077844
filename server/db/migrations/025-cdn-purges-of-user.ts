/** A change looks for a purge of its card that waits. */
export const cdnPurgesOfUser = {
  number: 25,
  name: 'CDN purges of a user',
  sql: `CREATE INDEX cdn_purges_user ON cdn_purges (user_id);`,
};
