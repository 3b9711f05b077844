#!/bin/sh
# Prints the version of a build as scripts/version.mjs does, on machines without Node.
set -eu
cd "$(dirname "$0")"
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' ../package.json)
commit=$(git rev-parse HEAD 2>/dev/null || true)
release=$(git log --reverse --format='%H %s' 2>/dev/null | sed -n "s/^\([0-9a-f]*\) Release $version\$/\1/p" | head -n 1)
if [ -z "$commit" ]; then
  echo "$version+dev"
elif [ "$commit" = "$release" ]; then
  echo "$version"
else
  echo "$version+$(echo "$commit" | cut -c1-7)"
fi
