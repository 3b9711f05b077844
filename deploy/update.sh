#!/bin/sh
# Starts deploy/compose.yaml, or replaces its nodes one after the other, so that one of them always serves.
# `docker compose up -d` alone would recreate both at once. Back up first (docs/upgrade.md).
# COMPOSE is the command of another engine: COMPOSE='podman compose', COMPOSE=docker-compose.
set -eu
cd "$(dirname "$0")"
compose=${COMPOSE:-docker compose}

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
$compose up -d postgres garage
for node in node-1 node-2; do
  $compose up -d --no-deps "$node"
  # Not every engine has `up --wait`.
  tries=60
  until $compose exec -T "$node" node healthcheck.mjs /readyz; do
    wait_to_try "$node is not ready. The other node has not been replaced."
  done
done
$compose up -d
# The container has the Caddyfile that was here when it started. Without a change nothing is reloaded.
tries=10
until $compose exec -T proxy caddy reload --adapter caddyfile --config /dev/stdin < Caddyfile; do
  wait_to_try 'Caddy continues with the previous Caddyfile.'
done
