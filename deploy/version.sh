#!/bin/sh
# Prints the version of a build as scripts/version.mjs does, on machines without Node.
set -eu
cd "$(dirname "$0")"
next=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' ../package.json)
if [ "$(git log -1 --format=%s 2>/dev/null)" = "Release $next" ]; then
  echo "$next"
else
  echo "$next-dev$(git rev-parse HEAD 2>/dev/null | cut -c1-7 | sed 's/^/+/')"
fi
