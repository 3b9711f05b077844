#!/bin/sh
# The command of every installation: tessera start, demo, doctor, admin, backup, restore, move-data, --version.
# It takes the settings from the environment and from /etc/tessera.env (docs/operate/settings.md).
set -eu
program=$(readlink -f "$0")
root=$(dirname "$program")
# In a clone of the repository this file is in scripts/. In the image the program is in /app.
[ -f "$root/package.json" ] || root=$(dirname "$root")
[ -f "$root/package.json" ] || root=/app
settings=${TESSERA_SETTINGS:-/etc/tessera.env}
# cron looks for programs in fewer folders than a shell.
PATH=$PATH:/usr/local/bin:/usr/bin:/bin
# A user may have a number but no name.
user=$(id -un 2> /dev/null) || user=$(id -u)
operator=${SUDO_USER:-${USER:-$user}}

command=${1:-help}
[ $# -eq 0 ] || shift
case "$command" in
  start) file=dist/server/main.js ;;
  demo) file=scripts/demo-service.mjs ;;
  admin) file=dist/server/admin.js ;;
  doctor) file=dist/server/admin.js && set -- doctor "$@" ;;
  backup | restore | move-data) file=dist/server/command.js && set -- "$command" "$@" ;;
  --version)
    [ ! -d "$root/dist" ] || exec node "$root/dist/server/main.js" --version
    file=dist/server/main.js && set -- --version
    ;;
  help | --help)
    sed -n '2,3s/^# //p' "$program"
    exit
    ;;
  *)
    echo "There is no command $command. Commands: start, demo, doctor, admin, backup, restore, move-data, --version." >&2
    exit 2
    ;;
esac

is_terminal() { [ -t 0 ] && [ -t 1 ]; }

# With Compose the program is in the containers.
if [ ! -d "$root/dist" ] && [ -f "$root/deploy/.env" ]; then
  terminal=-T
  if is_terminal; then terminal=; fi
  case "$command" in
    start)
      echo "With Compose, start the service with this command: $root/deploy/update.sh" >&2
      exit 2
      ;;
    demo)
      echo 'The demo runs without Compose. In another clone, run: npm run demo' >&2
      exit 2
      ;;
    # Each of these runs in a container of its own, because the node must be stopped for restore and move-data.
    backup | restore | move-data)
      shift
      folder=
      previous=
      # The container gets the host's folder under the same absolute path. A value of an option is no folder.
      for argument; do
        shift
        case "$previous:$argument" in
          --keep:* | --present:* | *:-* | *:) ;;
          *:/*) folder=$argument ;;
          *) folder=$PWD/$argument && argument=$folder ;;
        esac
        previous=$argument
        set -- "$@" "$argument"
      done
      # shellcheck disable=SC2086
      exec ${COMPOSE:-docker compose} --project-directory "$root/deploy" run --rm $terminal \
        ${folder:+-v "$folder:$folder"} node-1 tessera "$command" "$@"
      ;;
    admin) set -- admin "$@" ;;
  esac
  # shellcheck disable=SC2086
  exec ${COMPOSE:-docker compose} --project-directory "$root/deploy" exec $terminal -e "USER=$operator" node-1 \
    tessera "$@"
fi

# With systemd the user of the service exists only while something runs as it.
if [ -f /etc/systemd/system/tessera.service ] && [ -z "${DATA_DIR:-}" ] && [ "$command" != start ]; then
  if [ "$(id -u)" != 0 ]; then
    echo "systemd runs the service as a user of its own, so run this as root: sudo tessera $command" >&2
    exit 1
  fi
  terminal=--pipe
  if is_terminal; then terminal=--pty; fi
  [ "$*" != backup ] || set -- backup --keep 14 /var/lib/tessera-backup
  exec systemd-run $terminal --wait --quiet --collect "--working-directory=$root" -p DynamicUser=yes \
    -p User=tessera -p StateDirectory='tessera tessera-backup' -p StateDirectoryMode=0700 -p UMask=0077 \
    -p "EnvironmentFile=$settings" -E NODE_ENV=production -E DATA_DIR=/var/lib/tessera \
    -E "SUDO_USER=$operator" node --enable-source-maps "$file" "$@"
fi

set -- --enable-source-maps "$root/$file" "$@"
# Node parses the file, because it is not a shell script. This happens before the user changes, because only root may be
# able to read it. A name that no shell variable can have is ignored, because it would end this script.
if [ -r "$settings" ]; then
  # shellcheck disable=SC2016
  eval "$(node -e '
    const quote = (text) => "\x27" + text.replaceAll("\x27", "\x27\\\x27\x27") + "\x27";
    const values = require("util").parseEnv(require("fs").readFileSync(process.argv[1], "utf8"));
    for (const [name, value] of Object.entries(values))
      if (/^[A-Za-z_]\w*$/.test(name) && !(name in process.env)) console.log(`export ${name}=${quote(value)}`);
  ' "$settings")"
fi
case "$command" in
  start | restore)
    if [ -z "${DATA_DIR:-}" ]; then
      echo "DATA_DIR is not set, and data in the program's folder moves away with it at an upgrade. Set it to a folder of its own, such as /var/lib/tessera; what an earlier version has stored is in ./data." >&2
      exit 1
    fi
    ;;
  # `npm start` keeps its data here.
  *) DATA_DIR=${DATA_DIR:-$root/data} ;;
esac
export DATA_DIR
# The service could not open files that root adds to its folder.
if [ "$(id -u)" = 0 ] && [ "$command" != start ] && [ -d "$DATA_DIR" ]; then
  export SUDO_USER="$operator"
  set -- "--reuid=$(stat -c %u "$DATA_DIR")" "--regid=$(stat -c %g "$DATA_DIR")" --clear-groups node "$@"
  exec setpriv "$@"
fi
exec node "$@"
