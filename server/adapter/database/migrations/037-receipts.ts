/**
 * `notices` has the text of each version that visitors saw. `receipt_hash` is the SHA-256 of the token of a
 * contact's receipt, null without one. `withdrawals` has when visitors withdrew their details, and from
 * whose list.
 */
export const receipts = {
  number: 37,
  name: 'receipts',
  onlyAdds: true,
  sql: `
    CREATE TABLE notices (
      version TEXT PRIMARY KEY,
      language TEXT NOT NULL,
      text TEXT NOT NULL
    );
    ALTER TABLE contacts ADD COLUMN receipt_hash TEXT;
    ALTER TABLE deleted_contacts ADD COLUMN receipt_hash TEXT;
    CREATE INDEX contacts_receipt ON contacts (receipt_hash) WHERE receipt_hash IS NOT NULL;
    CREATE INDEX deleted_contacts_receipt ON deleted_contacts (receipt_hash)
      WHERE receipt_hash IS NOT NULL;
    CREATE TABLE withdrawals (
      contact_id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      withdrawn_at BIGINT NOT NULL
    );
    CREATE INDEX withdrawals_of_user ON withdrawals (user_id, withdrawn_at);
    CREATE INDEX withdrawals_time ON withdrawals (withdrawn_at);
  `,
} as const;
