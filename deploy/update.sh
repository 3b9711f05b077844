#!/bin/sh
# Replaces the nodes of deploy/compose.yaml one after the other, so that one of them always serves.
# `docker compose up -d` alone would recreate both at once. Back up first (docs/upgrade.md).
# COMPOSE is the command of another engine: COMPOSE='podman compose', COMPOSE=docker-compose.
set -eu
cd "$(dirname "$0")"
compose=${COMPOSE:-docker compose}

# The version of scripts/version.mjs, without Node: the tag of this commit, or the next version and the commit.
next=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' ../package.json)
if git tag --points-at HEAD 2>/dev/null | grep -qx "v$next"; then
  VERSION=$next
else
  VERSION="$next-dev$(git rev-parse HEAD 2>/dev/null | cut -c1-7 | sed 's/^/+/')"
fi
export VERSION

# Waits until a node is ready, two minutes at most. Not every engine has `up --wait`.
wait_until_ready() {
  tries=60
  until $compose exec -T "$1" node healthcheck.mjs /readyz; do
    tries=$((tries - 1))
    if [ "$tries" -eq 0 ]; then
      echo "$1 is not ready. The other node has not been replaced." >&2
      exit 1
    fi
    sleep 2
  done
}

$compose build --pull node-1
$compose up -d postgres garage
for node in node-1 node-2; do
  $compose up -d --no-deps "$node"
  wait_until_ready "$node"
done
$compose up -d
