import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Address {
  /** The domain of hosts that name a bucket: `<bucket>.<domain>`. */
  readonly domain: string;
  readonly monitorPort: number;
  readonly port: number;
}

/** Writes the configuration of a Ceph cluster with one daemon of each kind, in memory; returns its path. */
export function writeCephConfig(folder: string, { domain, monitorPort, port }: Address): string {
  const path = join(folder, 'ceph.conf');
  for (const name of ['mon', 'osd', 'gateway', 'run']) mkdirSync(join(folder, name));
  writeFileSync(
    path,
    `[global]
fsid=${randomUUID()}
mon_host=[v2:127.0.0.1:${monitorPort}]
public_addr=127.0.0.1
cluster_addr=127.0.0.1
keyring=${folder}/keyring
osd_pool_default_size=1
osd_pool_default_min_size=1
osd_crush_chooseleaf_type=0
osd_crush_update_on_start=false
osd_pool_default_pg_num=1
osd_pool_default_pgp_num=1
osd_pool_default_pg_autoscale_mode=off
mon_allow_pool_size_one=true
mon_max_pg_per_osd=2000
mon_data_avail_warn=1
mon_data_avail_crit=0
paxos_propose_interval=0.05
paxos_min_wait=0.01
admin_socket=${folder}/run/$name.$pid.asok
pid_file=
log_file=${folder}/run/$name.log
[mon.a]
mon_data=${folder}/mon
[osd.0]
osd_data=${folder}/osd
osd_objectstore=memstore
osd_client_watch_timeout=2
memstore_device_bytes=1073741824
osd_class_load_list=*
osd_class_default_list=*
[client.admin]
rgw_frontends=beast endpoint=127.0.0.1:${port}
rgw_dns_name=${domain}
rgw_data=${folder}/gateway
rgw_thread_pool_size=16
`,
  );
  return path;
}
