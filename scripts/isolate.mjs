// For a service on made-up data: settings and data of a real one must not reach it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Sets DATA_DIR to a new temporary folder, which is removed when the process ends, and removes all
 * other variables from the environment, except the allowed ones.
 */
export function isolate(prefix, allowedVariables) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const name of Object.keys(process.env))
    if (!allowedVariables.includes(name)) delete process.env[name];
  process.env.DATA_DIR = folder;
}
