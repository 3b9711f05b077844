#!/bin/sh
# Replaces the nodes of deploy/compose.yaml one after the other, so that one of them always serves.
# `docker compose up -d` alone would recreate both at once. Back up first (docs/operating.md#upgrade).
set -eu
cd "$(dirname "$0")"
compose=${COMPOSE:-docker compose}

$compose build --pull node-1
$compose up -d --wait postgres garage
for node in node-1 node-2; do
  $compose up -d --no-deps --wait "$node"
done
$compose up -d --wait
