/** Contacts beyond the card's limit of a day are stored apart from the others. */
export const heldContacts = {
  number: 3,
  name: 'held contacts',
  sql: `
    ALTER TABLE contacts ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
    DROP INDEX contacts_of_user;
    CREATE INDEX contacts_of_user ON contacts (user_id, held, id);
  `,
};
