import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';

import { newFolder } from './support/folder.ts';
import { startServer } from './support/server.ts';

const SCRIPT = join(ROOT, 'scripts/tessera.sh');

/** Runs `tessera` as cron does: with almost no environment, from another folder, without a terminal. */
async function runByCron(program: string, args: readonly string[], settings: string) {
  const env = { PATH: '/usr/bin:/bin', TESSERA_SETTINGS: settings, USER: 'asha' };
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(program, args, { env, cwd: newFolder() }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

/** Gives a folder to a user who cannot read the files of root. */
function giveAway(folder: string): void {
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', '1000:1000', folder]);
}

test('tessera: finds the settings and the folder from anywhere and from cron, even if only root can read the settings', async () => {
  const server = await startServer();
  onTestFinished(() => server.dispose());
  giveAway(server.dataDir);
  const folder = newFolder();
  const settings = join(folder, 'tessera.env');
  // Node reads the value in quotes and the comment, a shell would run the rest.
  const name = `PRODUCT_NAME="Asha's & Co; $(id)"`;
  const lines = [
    `DATA_DIR=${server.dataDir}`,
    name,
    '# A comment',
    'no-name=1',
    'SMS_GATEWAY=console',
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`, { mode: 0o600 });
  const program = join(folder, 'tessera');
  symlinkSync(SCRIPT, program);
  const run = (...args: string[]) => runByCron(program, args, settings);
  expect(await run('admin', 'stats')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Users: 0') as string,
  });
  expect((await run('doctor', '--json')).output).toContain(
    '"check": "database",\n    "state": "ok"',
  );
  const backups = newFolder();
  giveAway(backups);
  expect(await run('backup', '--keep', '2', backups)).toMatchObject({ code: 0 });
  const [backup = '', ...others] = readdirSync(backups);
  expect(others).toEqual([]);
  const restored = newFolder();
  giveAway(restored);
  writeFileSync(settings, `DATA_DIR=${restored}\n`, { mode: 0o600 });
  expect(await run('restore', '--bring-back', join(backups, backup))).toMatchObject({ code: 0 });
  expect(statSync(join(restored, 'tessera.sqlite')).uid).toBe(statSync(restored).uid);
  expect((await run('--version')).output).toMatch(/^\d+\.\d+\.\d+/);
  expect(await run('nothing')).toMatchObject({ code: 2 });
  // A service that is installed in another way keeps its data elsewhere.
  const missing = await runByCron(program, ['admin', 'stats'], join(folder, 'none.env'));
  expect(missing).toMatchObject({ code: 1, output: expect.stringContaining('DATA_DIR') as string });
});
