/**
 * The version of a card for `If-Match`: a random number that changes with the row. A counter would
 * repeat after a restore. On PostgreSQL a trigger sets it if a statement does not set it, for example
 * one from a node of an older release. SQLite has one node only.
 */
export const profileVersion = {
  number: 4,
  name: 'profile version',
  sql: 'ALTER TABLE users ADD COLUMN version BIGINT NOT NULL DEFAULT 0;',
  postgres: `
    CREATE FUNCTION new_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.version := floor(random() * 281474976710655);
        RETURN NEW;
      END $$;
    CREATE TRIGGER card_version BEFORE UPDATE ON users FOR EACH ROW
      WHEN (OLD.* IS DISTINCT FROM NEW.* AND OLD.version = NEW.version)
      EXECUTE FUNCTION new_version();
  `,
};
