/**
 * A seed of the key for one-time codes, shared by all nodes; and, on PostgreSQL, a trigger that
 * notifies all nodes of each changed card when its transaction commits.
 */
export const invalidation = {
  number: 2,
  name: 'invalidation',
  sql: `
    CREATE TABLE seeds (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    );
  `,
  postgres: `
    CREATE FUNCTION tell_card() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('tessera_card', OLD.id);
        RETURN NULL;
      END $$;
    CREATE TRIGGER card_changed AFTER UPDATE ON users FOR EACH ROW
      WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_card();
    CREATE TRIGGER card_removed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION tell_card();
  `,
};
