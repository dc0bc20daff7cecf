#!/bin/bash
# ProtectSystem=strict, ProtectHome=yes and PrivateTmp=yes of systemd for one program, in a mount
# namespace of its own: sandbox.sh UMASK FOLDER... -- PROGRAM ARGUMENT...
set -euo pipefail
umask "$1"
shift
places=$(findmnt --raw --noheadings --output TARGET | grep -vE '^/(proc|dev|sys)(/|$)')
while [ "$1" != -- ]; do
  mount --bind "$1" "$1"
  shift
done
shift
for place in $places; do mount -o remount,bind,ro "$place"; done
for place in /root /home; do mount -t tmpfs -o ro,mode=000 none "$place"; done
for place in /tmp /var/tmp; do mount -t tmpfs -o mode=1777 none "$place"; done
cd /
exec "$@"
