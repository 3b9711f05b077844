import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

import type { Logger } from 'pino';

import { databaseFile } from './data-folder.ts';

/** It reads the whole file, so it runs in a process of its own. */
const PROGRAM = `
  const [driver, file] = process.argv.slice(1);
  const { DatabaseSync } = require(driver);
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 60000 });
    process.stdout.write(database.prepare('PRAGMA quick_check(1)').all()[0].quick_check);
  } catch (error) {
    process.stdout.write(error.message);
  }`;

export async function findDamage(dataDir: string, signal?: AbortSignal): Promise<string | null> {
  const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const args = ['--eval', PROGRAM, driver, databaseFile(dataDir)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal });
  return stdout === 'ok' ? null : stdout;
}

/** The service continues: what is on other pages can be read and saved. */
export async function logDamage(dataDir: string, log: Logger, signal: AbortSignal): Promise<void> {
  try {
    const damage = await findDamage(dataDir, signal);
    if (damage !== null)
      log.error({ damage }, 'the database is damaged: see docs/runbooks.md#restore-at-night');
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the database was not checked');
  }
}
