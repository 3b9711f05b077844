import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const NOT_COPIED = new Set(['.cache', '.git', 'data', 'node_modules', 'shots', 'test-results']);

/** Copies the sources and dist/. Links in node_modules keep the packages safe from a program that empties it. */
export function copyProgram(folder: string): void {
  mkdirSync(folder);
  for (const name of readdirSync(ROOT)) {
    if (!NOT_COPIED.has(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.')) continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
}

/** Makes a folder read-only. Returns a function that makes it writable again. */
export function makeReadOnly(folder: string): () => void {
  const changeMode = (mode: string) => execFileSync('chmod', ['-R', mode, folder]);
  changeMode('a-w');
  return () => void changeMode('u+w');
}
