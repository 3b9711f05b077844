#!/bin/sh
# Starts deploy/compose.yaml, or replaces its nodes with a new version. It replaces two nodes one after the other, so
# that one always serves. `docker compose up -d` alone would recreate both at once. Back up first (docs/operate/upgrade.md).
# For another engine, set COMPOSE: COMPOSE='podman compose', COMPOSE=docker-compose.
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

# Waits two seconds before the next try. After the last one it prints the sentence and exits.
wait_to_try() {
  tries=$((tries - 1))
  if [ "$tries" -eq 0 ]; then
    echo "$1" >&2
    exit 1
  fi
  sleep 2
}

$compose build --pull node-1
# Names the image by its version too, so that you can go back to it. A tag cannot contain '+'.
IMAGE=tessera:$(echo "$VERSION" | tr + -) $compose build node-1
# While the nodes have two versions, the new Caddyfile finds the files of both. At the first start there is no Caddy yet.
reload_caddy() { $compose exec -T proxy caddy reload --adapter caddyfile --config /dev/stdin < Caddyfile; }
reload_caddy || true
for node in $nodes; do
  $compose up -d "$node"
  # Not every engine has `up --wait`.
  tries=60
  until $compose exec -T "$node" node healthcheck.mjs /readyz; do
    wait_to_try "$node is not ready. No other node has been replaced."
  done
done
$compose up -d
# The container still has the Caddyfile of its start. If nothing has changed, Caddy reloads nothing.
tries=10
until reload_caddy; do
  wait_to_try 'Caddy continues with the previous Caddyfile.'
done
