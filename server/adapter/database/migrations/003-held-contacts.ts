/** Adds `held`: 1 for a contact beyond the card's daily limit. */
export const heldContacts = {
  number: 3,
  name: 'held contacts',
  sql: `
    ALTER TABLE contacts ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
    DROP INDEX contacts_of_user;
    CREATE INDEX contacts_of_user ON contacts (user_id, held, id);
  `,
};
