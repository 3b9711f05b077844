/** Finds the ids that have expired. */
export const removedUsersTime = {
  number: 28,
  name: 'time of removed users',
  sql: 'CREATE INDEX removed_users_time ON removed_users (removed_at);',
};
