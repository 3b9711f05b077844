import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import manifest from '#manifest' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..', '..');
/** The oldest version that can be upgraded from; it has schema 3. */
export const FIRST_COMMIT = '1c5ca79';

export type BuiltVersion = ReturnType<typeof versionIn>;

function run(cwd: string, program: string, ...args: string[]): string {
  // Vitest sets NODE_ENV, and Vite would build for development.
  const { NODE_ENV: _, ...env } = process.env;
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Returns the first commit and that of the release before this version, as far as the clone has them. */
export function findPreviousVersions(): string[] {
  const releases = run(ROOT, 'git', 'log', '--format=%h %s', '--grep=^Release ').split('\n');
  const before = releases.find((line) => !line.endsWith(` Release ${manifest.version}`)) ?? '';
  return [FIRST_COMMIT, before.slice(0, before.indexOf(' '))].flatMap((commit) => {
    try {
      return [run(ROOT, 'git', 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`)];
    } catch {
      // A shallow clone.
      return [];
    }
  });
}

/** The built programs of a folder, and what deletes the folder or one above it. */
const versionIn = (folder: string, parent = folder) => ({
  entry: join(folder, 'dist/server/main.js'),
  command: join(folder, 'dist/server/command.js'),
  remove: () => rmSync(parent, { recursive: true, force: true }),
});

export function buildVersion(commit: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-previous-'));
  run(ROOT, 'git', 'archive', `--output=${join(folder, 'archive.tar')}`, commit);
  run(folder, 'tar', '-xf', 'archive.tar');
  run(folder, 'npm', 'ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error');
  run(folder, process.execPath, 'scripts/build.mjs');
  return versionIn(folder);
}

/** Makes the archives of a release from a clone of the last commit; `folder` is the unpacked one of this machine. */
export function buildRelease() {
  const parent = mkdtempSync(join(tmpdir(), 'tessera-release-'));
  run(parent, 'git', 'clone', '--quiet', ROOT, 'clone');
  run(join(parent, 'clone'), 'npm', 'run', 'release');
  const release = join(parent, 'clone', 'release');
  const end = `-linux-${process.arch}.tar.gz`;
  const archive = readdirSync(release).find((name) => name.endsWith(end)) ?? '';
  run(parent, 'tar', '-xf', join(release, archive));
  // A user without permissions reads the program, and nobody changes it.
  chmodSync(parent, 0o755);
  const folder = join(parent, archive.slice(0, -'.tar.gz'.length));
  return { ...versionIn(folder, parent), folder, release };
}
