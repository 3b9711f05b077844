/** For statements that read every row of their table. */
export const scans = {
  number: 21,
  name: 'scans',
  sql: `
    CREATE INDEX challenges_of_phone ON challenges (phone);
    CREATE INDEX exchange_tokens_of_phone ON exchange_tokens (phone);
    CREATE INDEX push_messages_age ON push_messages (created_at);
    CREATE INDEX used_tokens_age ON used_tokens (used_at);
  `,
};
