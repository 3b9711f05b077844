/**
 * `received` is what the visitor sent, as JSON, of a contact that its owner has edited. The indexes find
 * the tags of an owner, and whether a contact has a notice.
 */
export const editedContacts = {
  number: 16,
  name: 'edited contacts',
  sql: `
    ALTER TABLE contacts ADD COLUMN received TEXT;
    ALTER TABLE deleted_contacts ADD COLUMN received TEXT;
    CREATE INDEX contacts_tagged ON contacts (user_id, held, tags) WHERE tags <> '[]';
    CREATE INDEX contacts_with_notice ON contacts (user_id) WHERE notice <> '';
  `,
};
