// Installs or reports the Debian packages that tests need in addition to npm's packages.
import { existsSync } from 'node:fs';

import { run } from './ready.mjs';

export const POSTGRESQL = {
  path: '/usr/lib/postgresql/15/bin/initdb',
  packageName: 'postgresql-15',
};
/** Ceph's S3 gateway, which checks signatures, needs a monitor and a storage daemon. */
export const CEPH = [
  { path: '/usr/bin/radosgw', packageName: 'radosgw' },
  { path: '/usr/bin/ceph-mon', packageName: 'ceph-mon' },
  { path: '/usr/bin/ceph-osd', packageName: 'ceph-osd' },
];

const APT_GET = '/usr/bin/apt-get';
const INSTALL = ['install', '-y', '--no-install-recommends'];

const namesOf = (programs) => programs.map(({ packageName }) => packageName);

/** CI installs every missing program. Elsewhere only those marked `isInstalledLocally` are installed. */
export function programsToInstall(missing, { isCi, canInstall }) {
  return missing.filter(({ isInstalledLocally }) => canInstall && (isCi || isInstalledLocally));
}

/** Returns the sentences that report missing packages and the command that installs them. */
export function describeMissing(packageNames, { isRoot }) {
  const command = [...(isRoot ? [] : ['sudo']), 'apt-get', ...INSTALL, ...packageNames].join(' ');
  return `Missing: ${packageNames.join(', ')}. The tests that need them are skipped.\nInstall them with: ${command}\n`;
}

export function preparePrograms(programs) {
  const isRoot = process.getuid?.() === 0;
  const findMissing = () => programs.filter(({ path }) => !existsSync(path));
  const machine = { isCi: Boolean(process.env.CI), canInstall: isRoot && existsSync(APT_GET) };
  const toInstall = namesOf(programsToInstall(findMissing(), machine));
  if (toInstall.length > 0) {
    process.stdout.write(`Installing with apt-get: ${toInstall.join(', ')} …\n`);
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['update', '-qq'], env);
    run('apt-get', [...INSTALL, '-qq', ...toInstall], env);
  }
  const missing = namesOf(findMissing());
  if (missing.length > 0) process.stdout.write(describeMissing(missing, { isRoot }));
}
