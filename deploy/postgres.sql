-- Creates the service's user and database. Run it as a superuser:
--   psql -v password='…' -f deploy/postgres.sql
-- psql 15 or newer also takes the password from DATABASE_PASSWORD, as in deploy/compose.postgres.yaml.
-- The user owns the database, because migrations create tables, a function and triggers.
\getenv password DATABASE_PASSWORD
CREATE ROLE tessera LOGIN PASSWORD :'password' CONNECTION LIMIT 100;
-- Nodes set the same limits for each connection, but PgBouncer in transaction mode does not keep them.
ALTER ROLE tessera SET lock_timeout = '1s';
ALTER ROLE tessera SET statement_timeout = '1500ms';
ALTER ROLE tessera SET idle_in_transaction_session_timeout = '5s';
CREATE DATABASE tessera OWNER tessera ENCODING 'UTF8' TEMPLATE template0 LOCALE 'C.UTF-8';
REVOKE CONNECT ON DATABASE tessera FROM PUBLIC;
