/**
 * The look and the logo that an owner has chosen; without a row the default one. On PostgreSQL a trigger
 * notifies all nodes, as for the row of the user (002-invalidation-seeds.ts).
 */
export const appearance = {
  number: 18,
  name: 'appearance',
  sql: `
    CREATE TABLE appearances (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      palette TEXT NOT NULL DEFAULT 'photo',
      hue SMALLINT,
      logo TEXT NOT NULL DEFAULT '',
      version BIGINT NOT NULL
    );
  `,
  postgres: `
    CREATE FUNCTION tell_appearance() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('tessera_card', NEW.user_id);
        RETURN NULL;
      END $$;
    CREATE TRIGGER appearance_changed AFTER INSERT OR UPDATE ON appearances FOR EACH ROW
      EXECUTE FUNCTION tell_appearance();
  `,
};
