#!/bin/sh
# One node of Ceph's S3 gateway, with the key and the bucket that Garage's image makes at a start.
# The argument is a folder with ceph.conf.
set -eu
cd "$1"
export CEPH_CONF="$1/ceph.conf"
ceph-authtool --create-keyring keyring --gen-key -n mon. --cap mon 'allow *'
ceph-authtool keyring --gen-key -n client.admin \
  --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' --cap mds 'allow *'
ceph-authtool keyring --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
monmaptool --create --fsid "$(ceph-conf --lookup fsid)" --addv a '[v2:127.0.0.1:13300]' map
ceph-mon --mkfs -i a --monmap map --keyring keyring
ceph-mon -f -i a &
osd=$(cat /proc/sys/kernel/random/uuid)
ceph osd new "$osd"
ceph osd crush add osd.0 1.0 root=default host=localhost
ceph-osd -i 0 --mkfs --osd-uuid "$osd"
ceph-osd -f -i 0 &
radosgw-admin user create --uid=tessera --display-name=tessera \
  --access-key="$GARAGE_DEFAULT_ACCESS_KEY" --secret-key="$GARAGE_DEFAULT_SECRET_KEY"
radosgw -f -n client.admin &
# The hash of no body: curl 7.88 leaves it out.
empty=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
until curl --header "x-amz-content-sha256: $empty" --silent --fail --request PUT --aws-sigv4 aws:amz:garage:s3 \
  --user "$GARAGE_DEFAULT_ACCESS_KEY:$GARAGE_DEFAULT_SECRET_KEY" \
  "http://127.0.0.1:3900/$GARAGE_DEFAULT_BUCKET"; do
  sleep 0.5
done
wait
