import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import manifest from '#manifest' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..', '..');
/** The oldest version from which an upgrade is possible. It has schema 3. */
export const FIRST_COMMIT = '1c5ca79';

export type BuiltVersion = ReturnType<typeof versionIn>;

function run(cwd: string, program: string, ...args: string[]): string {
  // Vitest sets NODE_ENV, which would make Vite build for development.
  const { NODE_ENV: _, ...env } = process.env;
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Returns the commits of the first version, of release 1.1.0 and of the last release, if the clone contains them. */
export function findPreviousVersions(): string[] {
  const releases = run(ROOT, 'git', 'log', 'HEAD^', '--format=%h %s', '--grep=^Release ').split(
    '\n',
  );
  const lines = [releases[0], releases.find((line) => line.endsWith(' Release 1.1.0'))];
  const found = lines.flatMap((line) => line?.split(' ', 1) ?? []);
  return [...new Set([FIRST_COMMIT, ...found])].flatMap((commit) => {
    try {
      return [run(ROOT, 'git', 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`)];
    } catch {
      // A shallow clone does not contain the commit.
      return [];
    }
  });
}

export function readVersion(commit: string): string {
  const text = run(ROOT, 'git', 'show', `${commit}:package.json`);
  return (JSON.parse(text) as typeof manifest).version;
}

/** Returns the paths of the built programs of a folder, and a function that deletes the folder or `parent`. */
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

/** Makes a release from a clone of the last commit, and unpacks this machine's archive into `folder`. */
export function buildRelease() {
  const parent = mkdtempSync(join(tmpdir(), 'tessera-release-'));
  run(parent, 'git', 'clone', '--quiet', ROOT, 'clone');
  run(join(parent, 'clone'), 'npm', 'run', 'release');
  const release = join(parent, 'clone', 'release');
  const end = `-linux-${process.arch}.tar.gz`;
  const archive = readdirSync(release).find((name) => name.endsWith(end)) ?? '';
  run(parent, 'tar', '-xf', join(release, archive));
  // A user without privileges must be able to read the program.
  chmodSync(parent, 0o755);
  const folder = join(parent, archive.slice(0, -'.tar.gz'.length));
  return { ...versionIn(folder, parent), folder, release };
}
