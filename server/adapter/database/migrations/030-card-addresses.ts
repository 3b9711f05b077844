/**
 * The names of addresses `/@name` (docs/product.md#card-address), with what each owner has had. One without
 * an owner was removed with its account, and is free again 90 days after `removed_at`, which the cleanup
 * sets. On PostgreSQL a trigger notifies all nodes.
 */
export const cardAddresses = {
  number: 30,
  name: 'card-addresses',
  sql: `
    CREATE TABLE card_addresses (
      name TEXT PRIMARY KEY,
      user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
      state TEXT NOT NULL,
      is_counted SMALLINT NOT NULL,
      claimed_at BIGINT NOT NULL,
      removed_at BIGINT
    );
    CREATE INDEX card_addresses_user ON card_addresses (user_id);
    CREATE INDEX card_addresses_removed ON card_addresses (removed_at);
    CREATE UNIQUE INDEX card_addresses_current ON card_addresses (user_id) WHERE state = 'current';
  `,
  postgres: `
    CREATE FUNCTION tell_card_address() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' AND OLD.user_id IS NOT NULL THEN
          PERFORM pg_notify('tessera_card', OLD.user_id);
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.user_id IS NOT NULL THEN
          PERFORM pg_notify('tessera_card', NEW.user_id);
        END IF;
        RETURN NULL;
      END $$;
    CREATE TRIGGER card_address_changed AFTER INSERT OR UPDATE OR DELETE ON card_addresses
      FOR EACH ROW EXECUTE FUNCTION tell_card_address();
  `,
};
