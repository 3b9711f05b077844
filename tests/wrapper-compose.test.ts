import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';

import { newFolder } from './support/folder.ts';

const SCRIPT = join(ROOT, 'scripts/tessera.sh');

/** Runs `tessera` in a clone for Compose with a command that prints its arguments, as a user without a name. */
function runWithCompose(...args: string[]) {
  const root = realpathSync(newFolder());
  mkdirSync(join(root, 'deploy'));
  for (const name of ['package.json', 'deploy/.env']) writeFileSync(join(root, name), '');
  const program = join(root, 'scripts/tessera.sh');
  cpSync(SCRIPT, program);
  const id = '#!/bin/sh\n[ "$1" != -un ] || exit 1\necho 2001\n';
  writeFileSync(join(root, 'id'), id, { mode: 0o755 });
  const env = { PATH: `${root}:/usr/bin:/bin`, COMPOSE: 'echo' };
  const { stdout, stderr, status } = spawnSync(program, args, { env, cwd: root, encoding: 'utf8' });
  const call = stdout.trim().replace(`--project-directory ${root}/deploy `, '');
  return { call: call.replaceAll(root, '/here'), stderr, status };
}

test.each([
  ['backup', ''],
  ['backup --help', ''],
  ['backup --keep 14 /backups', '-v /backups:/backups '],
  ['backup /backups --keep 14', '-v /backups:/backups '],
  ['backup /here/backups', '-v /here/backups:/here/backups ', 'backup backups'],
  ['restore --present /data /backups/a', '-v /backups/a:/backups/a '],
  ['restore /backups/a --present=/data --bring-back', '-v /backups/a:/backups/a '],
  ['move-data', ''],
])(
  'tessera: with Compose, `%s` runs with the folder that it names',
  (command, mount, typed = command) => {
    const { call } = runWithCompose(...typed.split(' '));
    expect(call).toBe(`run --rm -T ${mount}node-1 tessera ${command}`);
  },
);

test.each(['admin stats', 'doctor', '--version'])(
  'tessera: with Compose, a user without a name runs `%s` in the node',
  (command) => {
    const result = runWithCompose(...command.split(' '));
    const call = `exec -T -e USER=2001 node-1 tessera ${command}`;
    expect(result).toEqual({ call, stderr: '', status: 0 });
  },
);

test('tessera: with Compose, `start` names the command that starts the service', () => {
  const { call, stderr, status } = runWithCompose('start');
  expect({ call, status }).toEqual({ call: '', status: 2 });
  expect(stderr).toMatch(/start the service with this command: .*\/deploy\/update\.sh\n$/);
});
