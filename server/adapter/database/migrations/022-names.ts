/** For the search of users by the start of their name, in any case (server/command/admin/store.ts). */
export const names = {
  number: 22,
  name: 'names',
  sql: '',
  sqlite: 'CREATE INDEX users_name ON users (lower(name))',
  // Comparisons by "C" are those of the bytes, as in SQLite.
  postgres: 'CREATE INDEX users_name ON users (lower(name) COLLATE "C")',
};
