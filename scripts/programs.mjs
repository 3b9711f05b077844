// What tests need besides npm's packages, and the Debian package that brings it.
import { existsSync } from 'node:fs';

import { run } from './ready.mjs';

/** Installs the Debian packages of programs that are missing, where that can be done. */
export function installPrograms(programs) {
  const missing = programs.filter(({ path }) => !existsSync(path)).map((one) => one.packageName);
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (missing.length === 0 || !canInstall) return;
  process.stdout.write(`Installing ${missing.join(', ')} …\n`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], env);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], env);
}
