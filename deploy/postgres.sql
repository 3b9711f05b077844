-- The user and the database of the service. As a superuser:
--   psql -v password='…' -f deploy/postgres.sql
-- or with the password in DATABASE_PASSWORD, as in deploy/compose.yaml (psql 15 or newer).
-- The user owns the database, because migrations create tables, a function and triggers.
\getenv password DATABASE_PASSWORD
CREATE ROLE tessera LOGIN PASSWORD :'password' CONNECTION LIMIT 100;
-- The limits that nodes set for each connection. PgBouncer in transaction mode does not keep those.
ALTER ROLE tessera SET lock_timeout = '1s';
ALTER ROLE tessera SET statement_timeout = '1500ms';
ALTER ROLE tessera SET idle_in_transaction_session_timeout = '5s';
CREATE DATABASE tessera OWNER tessera ENCODING 'UTF8' TEMPLATE template0 LOCALE 'C.UTF-8';
REVOKE CONNECT ON DATABASE tessera FROM PUBLIC;
