/**
 * Contacts that their owner has added. `added_contacts` keeps the browser's id of each, also when it is
 * deleted, so that a repeated call adds nothing. `mobile_key` (E.164) and `email_key` (small letters)
 * are '' for none, and null until contacts are compared.
 */
export const addedContacts = {
  number: 29,
  name: 'added contacts',
  sql: `
    CREATE TABLE added_contacts (
      contact_id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      client_id TEXT NOT NULL,
      UNIQUE (user_id, client_id)
    );
    ALTER TABLE contacts ADD COLUMN source TEXT NOT NULL DEFAULT '';
    ALTER TABLE deleted_contacts ADD COLUMN source TEXT NOT NULL DEFAULT '';
    ALTER TABLE contacts ADD COLUMN mobile_key TEXT;
    ALTER TABLE contacts ADD COLUMN email_key TEXT;
    ALTER TABLE deleted_contacts ADD COLUMN mobile_key TEXT;
    ALTER TABLE deleted_contacts ADD COLUMN email_key TEXT;
    CREATE INDEX contacts_by_mobile ON contacts (user_id, mobile_key) WHERE mobile_key IS NOT NULL;
    CREATE INDEX contacts_by_email ON contacts (user_id, email_key) WHERE email_key IS NOT NULL;
    CREATE INDEX contacts_not_compared ON contacts (user_id) WHERE mobile_key IS NULL;
  `,
};
