import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, inject, onTestFinished } from 'vitest';

import { readProject } from './project.ts';
import { applyChange, readRecipe } from './recipe-text.ts';
import type { Change } from './recipe-text.ts';
import { startServer } from './server.ts';
import type { RunningServer } from './server.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Follows a recipe in a copy of the project, and passes the running product and the folder to `look`. */
export async function followRecipe(
  name: string,
  look: (server: RunningServer, folder: string) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const copy = copyProject();
  const { changes, commands } = readRecipe(name);
  for (const change of changes) copy.apply(change);
  for (const command of commands) expect(copy.failure(command)).toBe(null);
  const server = await startServer(environment, join(copy.folder, 'dist/server/main.js'));
  onTestFinished(() => server.dispose());
  await look(server, copy.folder);
}

/** A copy of the project without its history, in which a recipe is followed, until the end of the test. */
export function copyProject() {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache', 'recipe-'));
  for (const { path } of readProject()) cpSync(join(ROOT, path), join(folder, path));
  // Hard links: a copy of 12,000 files would take longer than the recipe.
  spawnSync('cp', ['-al', join(ROOT, 'node_modules'), folder]);
  const types = join(ROOT, '.cache/types');
  if (existsSync(types)) cpSync(types, join(folder, '.cache/types'), { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV)/.test(name));
  const url = { TEST_DATABASE_URL: inject('postgresUrl') };
  const env = { ...Object.fromEntries(own), NO_COLOR: '1', ...url };
  return {
    folder,
    apply: ({ path, hunks }: Change) => {
      const file = join(folder, path);
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, applyChange(text, { path, hunks }));
    },
    reset: (changes: readonly Change[]) => {
      for (const { path } of changes) {
        rmSync(join(folder, path), { force: true });
        if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(folder, path));
      }
    },
    failure: (command: string) => {
      const options = { cwd: folder, env, encoding: 'utf8', shell: true } as const;
      const { status, stdout, stderr } = spawnSync(command, options);
      return status === 0 ? null : `${command}\n${stdout}\n${stderr}`;
    },
  };
}
