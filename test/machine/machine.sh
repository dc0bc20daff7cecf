#!/bin/bash
# Runs a command on a Debian of its own: in namespaces made by unshare(1), with writable layers over
# the folders of this machine that disappear with them, a package in /usr/local, and the servers that
# Debian's packages start when they are installed.
# machine.sh FOLDER PREFIX COMMAND...
set -euo pipefail
folder=$1 prefix=$2
shift 2
here=$(dirname "$(realpath "$0")")

mkdir "$folder/layers"
mount -t tmpfs layers "$folder/layers"
over() { # lower folders, place
  local layer=$folder/layers$2
  mkdir -p "$layer/upper" "$layer/work"
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$layer/upper,workdir=$layer/work" "$2"
}
for place in /etc /srv /var /root; do over "$place" "$place"; done
over "$prefix:/usr/local" /usr/local
mount -t tmpfs -o mode=755 run /run
ip link set lo up

# PostgreSQL and nginx as right after their installation.
rm -rf /etc/postgresql /var/lib/postgresql
mkdir /etc/postgresql
version=$(ls /usr/lib/postgresql | sort -n | tail -1)
install -d -o postgres -g postgres /var/lib/postgresql /run/postgresql
pg_createcluster --encoding UTF8 --locale C.UTF-8 "$version" main -- --no-sync > /dev/null
pg_ctlcluster "$version" main start
rm -f /etc/nginx/conf.d/* /etc/nginx/sites-enabled/* /etc/nginx/modules-enabled/*
nginx

printf '#!/bin/sh\nexec node %s/systemctl.ts "$@"\n' "$here" > /usr/local/bin/systemctl
chmod 755 /usr/local/bin/systemctl
"$@" || {
  code=$?
  cat /run/units/*.log /var/log/nginx/error.log >&2
  exit $code
}
