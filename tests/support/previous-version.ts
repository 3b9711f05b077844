import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
/** Commits that were installed before there were tags; the first has schema 3. */
export const COMMITS_WITHOUT_TAGS = ['1c5ca79', 'cd204d3'];

export type BuiltVersion = ReturnType<typeof versionIn>;

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Returns the newest tag before this version and the commits before all tags, as far as the clone has them. */
export function findPreviousVersions(): string[] {
  const found = [
    ['describe', '--tags', '--abbrev=0', 'HEAD^'],
    ...COMMITS_WITHOUT_TAGS.map((one) => ['rev-parse', '--verify', '--quiet', `${one}^{commit}`]),
  ].flatMap((args) => {
    try {
      return [git(...args)];
    } catch {
      // No tag, or a shallow clone.
      return [];
    }
  });
  return [...new Set(found)];
}

/** Builds a version from the repository in a temporary folder; `remove` deletes it. */
export function buildVersion(commit: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-previous-'));
  // Vitest sets NODE_ENV, and Vite would build for development.
  const { NODE_ENV: _, ...env } = process.env;
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const archive = join(folder, 'archive.tar');
  git('archive', '--output', archive, commit);
  run('tar', '-xf', archive);
  run('npm', 'ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error');
  run(process.execPath, 'scripts/build.mjs');
  return { ...versionIn(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function versionIn(folder: string) {
  const file = (name: string) => join(folder, 'dist', 'server', name);
  return { entry: file('main.js'), command: file('command.js') };
}

/** Makes the archives of a release from a clone of the last commit; `folder` is the unpacked one of this machine. */
export function buildRelease() {
  const parent = mkdtempSync(join(tmpdir(), 'tessera-release-'));
  const clone = join(parent, 'clone');
  git('clone', '--quiet', ROOT, clone);
  const { NODE_ENV: _, ...env } = process.env;
  const stdio = ['ignore', 'ignore', 'inherit'] as ('ignore' | 'inherit')[];
  execFileSync('npm', ['run', 'release'], { cwd: clone, env, stdio });
  const release = join(clone, 'release');
  const archive =
    readdirSync(release).find((name) => name.endsWith(`-linux-${process.arch}.tar.gz`)) ?? '';
  execFileSync('tar', ['-xf', join(release, archive), '-C', parent]);
  // A user without permissions reads the program, and nobody changes it.
  chmodSync(parent, 0o755);
  const folder = join(parent, archive.slice(0, -'.tar.gz'.length));
  return {
    ...versionIn(folder),
    folder,
    release,
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}
