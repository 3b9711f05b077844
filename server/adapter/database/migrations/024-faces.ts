/**
 * Translations of a card (docs/product.md#translations): a JSON object by language. On PostgreSQL a
 * trigger notifies all nodes, with the function of 018-appearance.ts.
 */
export const faces = {
  number: 24,
  name: 'faces',
  sql: `
    CREATE TABLE faces (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      texts TEXT NOT NULL,
      version BIGINT NOT NULL
    );
  `,
  postgres: `
    CREATE TRIGGER faces_changed AFTER INSERT OR UPDATE ON faces FOR EACH ROW
      EXECUTE FUNCTION tell_appearance();
  `,
};
