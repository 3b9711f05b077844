#!/bin/sh
# Starts deploy/compose.yaml, or replaces its nodes by a new version. Two are replaced one after the other, so that one
# of them always serves: `docker compose up -d` alone would recreate both at once. Back up first (docs/upgrade.md).
# COMPOSE is the command of another engine: COMPOSE='podman compose', COMPOSE=docker-compose.
set -eu
cd "$(dirname "$0")"
compose=${COMPOSE:-docker compose}

if ! grep -q '^COMPOSE_FILE=.' .env && grep -q '^DATABASE_PASSWORD=.' .env; then
  echo 'compose.yaml alone is a node with an empty database of its own: set COMPOSE_FILE in .env (example.env).' >&2
  exit 1
fi
nodes=node-1
if grep -q '^COMPOSE_FILE=.*nodes' .env; then nodes='node-1 node-2'; fi
VERSION=$(./version.sh)
export VERSION

# Waits two seconds before a command is tried again; ends with the sentence after the last try.
wait_to_try() {
  tries=$((tries - 1))
  if [ "$tries" -eq 0 ]; then
    echo "$1" >&2
    exit 1
  fi
  sleep 2
}

$compose build --pull node-1
# The same image by its version too, for the way back. A tag has no '+'.
IMAGE=tessera:$(echo "$VERSION" | tr + -) $compose build node-1
for node in $nodes; do
  $compose up -d "$node"
  # Not every engine has `up --wait`.
  tries=60
  until $compose exec -T "$node" node healthcheck.mjs /readyz; do
    wait_to_try "$node is not ready. No other node has been replaced."
  done
done
$compose up -d
# The container has the Caddyfile that was here when it started. Without a change nothing is reloaded.
tries=10
until $compose exec -T proxy caddy reload --adapter caddyfile --config /dev/stdin < Caddyfile; do
  wait_to_try 'Caddy continues with the previous Caddyfile.'
done
