// A disk whose fsync takes 5 ms more: a library that is compiled when the bench runs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the environment variables that slow a program's fsync down. Compiles the library into
 * `folder`.
 */
export function slowDiskEnvironment(folder) {
  const library = join(folder, 'slow-fsync.so');
  if (!existsSync(library)) {
    const source = join(import.meta.dirname, 'slow-fsync.c');
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl']);
  }
  return { LD_PRELOAD: library };
}
