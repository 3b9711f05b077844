// Tells the version of a build. package.json has the last release's version, and only the commit that is called
// 'Release' and that version has it alone.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An archive without git has its version in this file. */
export const VERSION_FILE = 'version.txt';
const COMMIT_LENGTH = 7;
const SECOND_MS = 1000;

/**
 * Returns `1.1.0` for the first commit 'Release 1.1.0', and `1.1.0+0123abc` for another commit. Without git it is the
 * content of version.txt, or `1.1.0+dev`.
 */
export function readVersion(root) {
  const file = join(root, VERSION_FILE);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const commit = existsSync(join(root, '.git')) ? git(root, 'rev-parse', 'HEAD') : '';
  if (commit === '') return `${version}+dev`;
  if (releaseCommit(root, version) === commit) return version;
  return `${version}+${commit.slice(0, COMMIT_LENGTH)}`;
}

/** Returns the id of the first commit 'Release' and the version, or '' if there is none. */
export function releaseCommit(root, version) {
  const releases = git(
    root,
    'log',
    '--reverse',
    '--format=%H %s',
    '--fixed-strings',
    `--grep=Release ${version}`,
  );
  const release = releases.split('\n').find((line) => line.endsWith(` Release ${version}`));
  return release?.split(' ', 1)[0] ?? '';
}

/**
 * Returns the time of the source in seconds since 1970. SOURCE_DATE_EPOCH (reproducible-builds.org) has precedence over
 * the commit's time. Without git it is the present time.
 */
export function readCommitTime(root) {
  const { SOURCE_DATE_EPOCH: given } = process.env;
  const time = given || (existsSync(join(root, '.git')) && git(root, 'log', '-1', '--format=%ct'));
  return time ? Number(time) : Math.floor(Date.now() / SECOND_MS);
}

/** Returns git's output, or '' if git is not installed or rejects the folder. */
function git(root, ...args) {
  try {
    return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}
