import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const BLOCK = /^( *)```(diff (\S+)|sh)\n([^]*?)^ *```$/gm;

/** A change of one file, as a recipe shows it. */
export interface Change {
  readonly path: string;
  /** Pairs of a text that is in the file once and the text in its place; the file is new if one is ''. */
  readonly hunks: readonly (readonly [string, string])[];
}

/** Returns the changes and the commands of a recipe, in order. */
export function readRecipe(name: string) {
  const position = readdirSync(join(ROOT, 'server/adapter/database/migrations')).length + 1;
  const text = readFileSync(join(ROOT, 'docs/recipes', `${name}.md`), 'utf8')
    .replaceAll('{number}', String(position).padStart(3, '0'))
    .replaceAll('{position}', String(position));
  const blocks = [...text.matchAll(BLOCK)].map(([, indent = '', , path, body = '']) => ({
    path,
    lines: body.split('\n').map((line) => line.slice(indent.length)),
  }));
  const changes: Change[] = blocks.flatMap(({ path, lines }) => {
    const hunks = lines.slice(0, -1).join('\n').split('\n@@\n');
    return path
      ? [{ path, hunks: hunks.map((hunk) => [side(hunk, '-'), side(hunk, '+')] as const) }]
      : [];
  });
  return {
    changes,
    commands: blocks.flatMap(({ path, lines }) => (path ? [] : lines.filter(Boolean))),
  };
}

function side(hunk: string, mark: '-' | '+'): string {
  const lines = hunk.split('\n').filter((line) => /^ |^$/.test(line) || line.startsWith(mark));
  return lines.map((line) => `${line.slice(1)}\n`).join('');
}

/** Returns a file with a change. Throws if it does not have the lines of the change once. */
export function applyChange(file: string, { path, hunks }: Change): string {
  let text = file;
  for (const [before, after] of hunks) {
    // The formatter pads the cells of a table.
    const escaped = before.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' \\|', ' +\\|');
    const lines = new RegExp(escaped, 'g');
    if (before !== '' && text.match(lines)?.length !== 1)
      throw new Error(`${path} does not have these lines once:\n${before}`);
    text = before === '' ? after : text.replace(lines, () => after);
  }
  return text;
}
