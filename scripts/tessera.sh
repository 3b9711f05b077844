#!/bin/sh
# The command of a release: ./tessera start, demo, admin, backup, restore, move-data, --version.
# It needs Node.js and nothing else. Settings come from the environment (docs/operate/settings.md).
set -eu
program=$(readlink -f "$0")
root=$(dirname "$program")
command=${1:-help}
[ $# -eq 0 ] || shift
case "$command" in
  start | restore)
    if [ -z "${DATA_DIR:-}" ]; then
      echo "DATA_DIR is not set, and data in the program's folder moves away with it at an upgrade. Set it to a folder of its own, such as /var/lib/tessera; what an earlier version has stored is in ./data." >&2
      exit 1
    fi
    ;;
esac
case "$command" in
  start) exec node --enable-source-maps "$root/dist/server/main.js" "$@" ;;
  demo) exec node --enable-source-maps "$root/scripts/demo-service.mjs" "$@" ;;
  admin | backup | restore | move-data)
    exec node --enable-source-maps "$root/scripts/command.mjs" "$command" "$@" ;;
  --version) exec node "$root/dist/server/main.js" --version ;;
  help | --help)
    sed -n '2,3s/^# //p' "$program"
    ;;
  *)
    echo "There is no command $command. Commands: start, demo, admin, backup, restore, move-data, --version." >&2
    exit 2
    ;;
esac
