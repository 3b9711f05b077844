import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import manifest from '#manifest' with { type: 'json' };

import { newFolder } from './folder.ts';
import { withWorker } from './with-worker.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['domain', 'contract', 'view', 'server', 'web', 'scripts'];
const SCRIPTS = ['check-node.cjs', 'start.mjs', 'ready.mjs', 'rebuild.mjs', 'command.mjs'];

/** This build writes a server that records its start and its orderly stop, and commands that exit with code 3. */
const BUILD = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
  import { BUILD_STAMP, hashSources } from './ready.mjs';
  mkdirSync('dist/server', { recursive: true });
  appendFileSync('notes', 'built\\n');
  writeFileSync('dist/' + BUILD_STAMP, hashSources());
  for (const name of ['command', 'admin']) writeFileSync('dist/server/' + name + '.js', \`
    console.log('\${name}', ...process.argv.slice(2));
    process.exitCode = 3;
  \`);
  writeFileSync('dist/server/main.js', \`
    import { appendFileSync } from 'node:fs';
    const timer = setInterval(() => {}, 1000);
    process.on('SIGTERM', () => { appendFileSync('notes', 'stopped\\\\n'); clearInterval(timer); });
    appendFileSync('notes', 'pid ' + process.pid + '\\\\n');
  \`);
`;

export function createFakeProject() {
  const folder = newFolder();
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: string) => writeFileSync(path(name), content);

  function writeManifests(packages: Record<string, { version: string; [key: string]: string }>) {
    const { scripts } = manifest;
    const project = { name: 'project', version: '1.0.0', type: 'module' };
    const dependencies = Object.fromEntries(
      Object.entries(packages).map(([name, { version }]) => [name.split('/')[1], version]),
    );
    const root = { name: project.name, version: project.version, dependencies };
    const lock = { ...project, lockfileVersion: 3, packages: { '': root, ...packages } };
    write('package.json', JSON.stringify({ ...project, scripts, dependencies }));
    write('package-lock.json', JSON.stringify(lock));
  }

  for (const name of FOLDERS) mkdirSync(path(name));
  for (const name of SCRIPTS) copyFileSync(join(ROOT, 'scripts', name), path(`scripts/${name}`));
  writeManifests({});
  write('vite.config.ts', '');
  write('server/main.ts', 'one');
  write('scripts/build.mjs', BUILD);

  /** Starts a program as a service manager does, without the environment variables that npm sets. */
  function start(...command: readonly string[]) {
    const npm = { npm_config_fetch_retries: '0', npm_config_update_notifier: 'false' };
    const env = { PATH: process.env['PATH'], HOME: folder, ...npm };
    const options = { cwd: folder, env };
    return spawn(...withWorker(command, 'TERM'), { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  return {
    folder,
    write,
    writeManifests,
    start,
    run: async (program: string, ...args: readonly string[]) => {
      const child = start(program, ...args);
      const closed = once(child, 'close') as Promise<[number | null]>;
      const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: (await closed)[0], output, errors };
    },
    notes: () => (existsSync(path('notes')) ? readFileSync(path('notes'), 'utf8') : ''),
    listFiles: () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.startsWith('.npm'))
        .map((name) => `${name} ${statSync(path(name)).mtimeMs}`)
        .toSorted(),
  };
}
