/**
 * What the card carries besides (docs/product.md#more-on-your-card). On PostgreSQL a trigger notifies all
 * nodes, with the function of 018-appearance.ts.
 */
export const extras = {
  number: 19,
  name: 'extras',
  sql: `
    CREATE TABLE extras (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      upi TEXT NOT NULL DEFAULT '',
      gstin TEXT NOT NULL DEFAULT '',
      address TEXT NOT NULL DEFAULT '',
      version BIGINT NOT NULL
    );
  `,
  postgres: `
    CREATE TRIGGER extras_changed AFTER INSERT OR UPDATE ON extras FOR EACH ROW
      EXECUTE FUNCTION tell_appearance();
  `,
};
