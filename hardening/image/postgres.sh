#!/bin/sh
# What the image docker.io/library/postgres does at a start, with Debian's PostgreSQL.
set -eu
bin=/usr/lib/postgresql/15/bin
data=/var/lib/postgresql/data
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
chown postgres:postgres "$data"
mkdir -p /var/run/postgresql
chown postgres:postgres /var/run/postgresql
if [ ! -s "$data/PG_VERSION" ]; then
  password=$(mktemp)
  printf %s "$POSTGRES_PASSWORD" > "$password"
  chown postgres "$password"
  # shellcheck disable=SC2086
  as_postgres $bin/initdb -D "$data" -U postgres --pwfile="$password" $POSTGRES_INITDB_ARGS
  rm "$password"
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  as_postgres $bin/pg_ctl -D "$data" -o '-c listen_addresses=' -w start
  for file in /docker-entrypoint-initdb.d/*.sql; do
    as_postgres psql -v ON_ERROR_STOP=1 -f "$file"
  done
  as_postgres $bin/pg_ctl -D "$data" -w stop
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups \
  $bin/postgres -D "$data" -c listen_addresses='*'
