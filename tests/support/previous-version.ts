import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
/** A commit with schema 3, while no tag precedes this version. */
const COMMIT_WITHOUT_TAGS = '1c5ca79';

export interface BuiltVersion {
  readonly entry: string;
  readonly command: string;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Returns the newest tag before this version, or a fixed commit; null if the clone has neither. */
export function findPreviousVersion(): string | null {
  for (const find of [
    () => git('describe', '--tags', '--abbrev=0', 'HEAD^'),
    () => git('rev-parse', '--verify', '--quiet', `${COMMIT_WITHOUT_TAGS}^{commit}`),
  ]) {
    try {
      return find();
    } catch {
      // No tag, or a shallow clone.
    }
  }
  return null;
}

/** Builds a version from the repository in a temporary folder; `remove` deletes it. */
export function buildVersion(commit: string): BuiltVersion & { remove: () => void } {
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
  return {
    ...versionIn(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function versionIn(folder: string): BuiltVersion {
  const file = (name: string) => join(folder, 'dist', 'server', name);
  return { entry: file('main.js'), command: file('command.js') };
}

/** This version, as `npm run build` has built it. */
export const THIS_VERSION = versionIn(ROOT);
