/** A version starts on newer migrations that all only add, so that an upgrade can be taken back. */
export const addingMigrations = {
  number: 31,
  name: 'adding migrations',
  sql: 'ALTER TABLE migrations ADD COLUMN only_adds INTEGER NOT NULL DEFAULT 0;',
  onlyAdds: true,
} as const;
