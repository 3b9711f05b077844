/**
 * What nodes that share a database share besides: a seed of the key for one-time codes, and, on
 * PostgreSQL, news of every card that changed, told by the very transaction that changed it.
 */
export const news = {
  number: 2,
  name: 'news',
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
