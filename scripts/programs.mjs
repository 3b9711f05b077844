// The Debian packages that tests need in addition to npm's packages.
import { existsSync } from 'node:fs';

import { run } from './ready.mjs';

export const INITDB = '/usr/lib/postgresql/15/bin/initdb';
/** PostgreSQL's server, for tests and the bench. */
export const POSTGRESQL = { path: INITDB, packageName: 'postgresql-15' };
/** Ceph's S3 gateway checks signatures; it needs a monitor and a storage daemon. */
export const CEPH = [
  { path: '/usr/bin/radosgw', packageName: 'radosgw' },
  { path: '/usr/bin/ceph-mon', packageName: 'ceph-mon' },
  { path: '/usr/bin/ceph-osd', packageName: 'ceph-osd' },
];

const APT_GET = '/usr/bin/apt-get';
const INSTALL = ['install', '-y', '--no-install-recommends'];

const namesOf = (programs) => programs.map(({ packageName }) => packageName);

/**
 * Splits the missing programs into those to install now and those to report only. CI installs all of
 * them; elsewhere only those marked `isInstalledLocally` are installed.
 */
export function planInstall(programs, { isPresent, isCi, canInstall }) {
  const missing = programs.filter(({ path }) => !isPresent(path));
  const toInstall = missing.filter(
    ({ isInstalledLocally }) => canInstall && (isCi || isInstalledLocally),
  );
  const toReport = missing.filter((program) => !toInstall.includes(program));
  return { toInstall: namesOf(toInstall), toReport: namesOf(toReport) };
}

/** Returns the sentences that report missing packages and the command that installs them. */
export function describeMissing(packageNames, { isRoot }) {
  const command = [...(isRoot ? [] : ['sudo']), 'apt-get', ...INSTALL, ...packageNames].join(' ');
  return `Missing: ${packageNames.join(', ')}. The tests that need them are skipped.\nInstall them with: ${command}\n`;
}

/** Installs or reports the missing programs. */
export function preparePrograms(programs, { isCi }) {
  const isRoot = process.getuid?.() === 0;
  const plan = () =>
    planInstall(programs, {
      isPresent: existsSync,
      isCi,
      canInstall: isRoot && existsSync(APT_GET),
    });
  const { toInstall } = plan();
  if (toInstall.length > 0) {
    process.stdout.write(`Installing with apt-get: ${toInstall.join(', ')} …\n`);
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['update', '-qq'], env);
    run('apt-get', [...INSTALL, '-qq', ...toInstall], env);
  }
  const after = plan();
  const missing = [...after.toInstall, ...after.toReport];
  if (missing.length > 0) process.stdout.write(describeMissing(missing, { isRoot }));
}
