import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { inject } from 'vitest';

import { readProject } from './citations.ts';
import { startServer } from './server.ts';
import type { RunningServer } from './server.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const BLOCK = /^( *)```(diff (\S+)|sh)\n([^]*?)^ *```$/gm;

/** A change of one file, as a recipe shows it. */
interface Change {
  readonly path: string;
  /** Pairs of a text that is in the file once and the text in its place; the file is new if one is ''. */
  readonly hunks: readonly (readonly [string, string])[];
}

interface Recipe {
  readonly changes: readonly Change[];
  readonly commands: readonly string[];
}

export function readRecipe(name: string): Recipe {
  const position = readdirSync(join(ROOT, 'server/db/migrations')).length + 1;
  const text = readFileSync(join(ROOT, 'docs/recipes', `${name}.md`), 'utf8')
    .replaceAll('{number}', String(position).padStart(3, '0'))
    .replaceAll('{position}', String(position));
  const blocks = [...text.matchAll(BLOCK)].map(([, indent = '', , path, body = '']) => ({
    path,
    lines: body.split('\n').map((line) => line.slice(indent.length)),
  }));
  return {
    changes: blocks.flatMap(({ path, lines }) =>
      path ? [{ path, hunks: parseHunks(lines) }] : [],
    ),
    commands: blocks.flatMap(({ path, lines }) => (path ? [] : lines.filter(Boolean))),
  };
}

function parseHunks(lines: readonly string[]): [string, string][] {
  return lines
    .slice(0, -1)
    .join('\n')
    .split('\n@@\n')
    .map((hunk) => [side(hunk, '-'), side(hunk, '+')]);
}

function side(hunk: string, mark: '-' | '+'): string {
  const lines = hunk.split('\n').filter((line) => /^ |^$/.test(line) || line.startsWith(mark));
  return lines.map((line) => `${line.slice(1)}\n`).join('');
}

/** Follows a recipe in a copy of the project, and passes the running product and the folder to `look`. */
export async function followRecipe(
  name: string,
  look: (server: RunningServer, folder: string) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const copy = copyProject();
  try {
    const { changes, commands } = readRecipe(name);
    for (const change of changes) copy.apply(change);
    for (const command of commands) {
      const failure = copy.failure(command);
      if (failure !== null) throw new Error(failure);
    }
    const server = await startServer(environment, join(copy.folder, 'dist/server/main.js'));
    try {
      await look(server, copy.folder);
    } finally {
      await server.dispose();
    }
  } finally {
    copy.remove();
  }
}

/** A copy of the project without its history, in which a recipe is followed. */
interface ProjectCopy {
  readonly folder: string;
  readonly apply: (change: Change) => void;
  readonly reset: (changes: readonly Change[]) => void;
  readonly failure: (command: string) => string | null;
  readonly remove: () => void;
}

export function copyProject(): ProjectCopy {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache', 'recipe-'));
  for (const { path } of readProject()) cpSync(join(ROOT, path), join(folder, path));
  // Hard links: a copy of 12,000 files would take longer than the recipe.
  spawnSync('cp', ['-al', join(ROOT, 'node_modules'), folder]);
  const types = join(ROOT, '.cache/types');
  if (existsSync(types)) cpSync(types, join(folder, '.cache/types'), { recursive: true });
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV)/.test(name));
  const env = {
    ...Object.fromEntries(own),
    NO_COLOR: '1',
    TEST_DATABASE_URL: inject('postgresUrl'),
  };
  return {
    folder,
    apply: ({ path, hunks }) => {
      const file = join(folder, path);
      let text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      for (const [before, after] of hunks) {
        if (before !== '' && text.split(before).length !== 2)
          throw new Error(`${path} does not have these lines once:\n${before}`);
        text = before === '' ? after : text.replace(before, () => after);
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    reset: (changes) => {
      for (const { path } of changes) {
        rmSync(join(folder, path), { force: true });
        if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(folder, path));
      }
    },
    failure: (command) => {
      const options = { cwd: folder, env, encoding: 'utf8', shell: true } as const;
      const { status, stdout, stderr } = spawnSync(command, options);
      return status === 0 ? null : `${command}\n${stdout}\n${stderr}`;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
