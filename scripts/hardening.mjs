// npm run hardening runs the tests that take too long for npm test. Arguments select tests by file name: npm run
// hardening crash fuzz. These variables lower the number of repetitions: HARDENING_CRASHES,
// HARDENING_POSTGRES_CRASHES, HARDENING_POWER_CUTS, HARDENING_FAILOVERS, HARDENING_FUZZ.
import { join } from 'node:path';

import { CEPH, POSTGRESQL, preparePrograms } from './programs.mjs';
import { ROOT, build, install, run } from './ready.mjs';

const PROGRAMS = [
  POSTGRESQL,
  { path: '/usr/bin/etcd', packageName: 'etcd-server' },
  { path: '/usr/bin/patroni', packageName: 'patroni' },
  { path: '/usr/sbin/haproxy', packageName: 'haproxy' },
  { path: '/usr/sbin/pgbouncer', packageName: 'pgbouncer' },
  { path: '/usr/sbin/nginx', packageName: 'nginx-light' },
  { path: '/usr/bin/caddy', packageName: 'caddy' },
  { path: '/usr/bin/promtool', packageName: 'prometheus' },
  ...CEPH,
  { path: '/usr/bin/buildah', packageName: 'buildah' },
  { path: '/usr/bin/podman', packageName: 'podman' },
  { path: '/usr/bin/podman-compose', packageName: 'podman-compose' },
  { path: '/usr/lib/podman/netavark', packageName: 'netavark' },
  { path: '/usr/lib/podman/aardvark-dns', packageName: 'aardvark-dns' },
  // netavark calls it.
  { path: '/usr/sbin/iptables', packageName: 'iptables' },
  { path: '/usr/bin/mmdebstrap', packageName: 'mmdebstrap' },
  { path: '/usr/sbin/runc', packageName: 'runc' },
  { path: '/usr/sbin/mkfs.ext4', packageName: 'e2fsprogs' },
  { path: '/usr/sbin/xfs_io', packageName: 'xfsprogs' },
  { path: '/usr/bin/ZXingReader', packageName: 'zxing-cpp-tools' },
  { path: '/usr/bin/javac', packageName: 'default-jdk-headless' },
  { path: '/usr/share/java/ez-vcard.jar', packageName: 'libez-vcard-java' },
  { path: '/usr/share/java/vinnie.jar', packageName: 'libvinnie-java' },
  { path: '/usr/lib/python3/dist-packages/gi/__init__.py', packageName: 'python3-gi' },
  {
    path: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/girepository-1.0/EBookContacts-1.2.typelib`,
    packageName: 'gir1.2-ebookcontacts-1.2',
  },
];

// Without its name among the arguments, the operator's commands run on fewer cards.
if (process.argv.includes('million')) process.env.HARDENING_CARDS ??= '1000000';

install();
preparePrograms(PROGRAMS);
build();
const hasSucceeded = run(join(ROOT, 'node_modules', '.bin', 'vitest'), [
  'run',
  '--config=hardening/vitest.config.ts',
  '--reporter=verbose',
  ...process.argv.slice(2),
]);
process.exit(hasSucceeded ? 0 : 1);
