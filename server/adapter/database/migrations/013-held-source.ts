/**
 * A keyed hash of the network from which a held contact came, '' for others and for older ones: the
 * network with the most held contacts loses its newest (docs/security.md#limits).
 */
export const heldSource = {
  number: 13,
  name: 'held source',
  sql: `
    ALTER TABLE contacts ADD COLUMN held_source TEXT NOT NULL DEFAULT '';
    ALTER TABLE deleted_contacts ADD COLUMN held_source TEXT NOT NULL DEFAULT '';
    CREATE INDEX contacts_held_sources ON contacts (user_id, held_source, id) WHERE held = 1;
  `,
};
