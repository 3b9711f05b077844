/**
 * Every table that holds something of people, those that others refer to first. Its key is text
 * and never empty. Not here: `migrations`, which each database writes itself, and `seeds`, which
 * are a node's own (server/secret.ts). A test compares this list with the schema.
 */
export const TABLES = [
  { name: 'users', key: 'id' },
  { name: 'sessions', key: 'token_hash' },
  { name: 'used_tokens', key: 'token_hash' },
  { name: 'challenges', key: 'id' },
  { name: 'exchange_tokens', key: 'token_hash' },
  { name: 'counters', key: 'key' },
  { name: 'contacts', key: 'id' },
] as const;

export type Table = (typeof TABLES)[number];
