#!/bin/sh
# The version of a build, as scripts/version.mjs has it, without Node: the tag of this commit, or the next version and the commit.
set -eu
cd "$(dirname "$0")"
next=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' ../package.json)
if git tag --points-at HEAD 2>/dev/null | grep -qx "v$next"; then
  echo "$next"
else
  echo "$next-dev$(git rev-parse HEAD 2>/dev/null | cut -c1-7 | sed 's/^/+/')"
fi
