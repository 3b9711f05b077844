import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A file of the repository with its path from the root. The text of a binary file is empty. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

const ROOT = join(import.meta.dirname, '..', '..');
const SKIPPED_FOLDERS = new Set('.cache .git data dist node_modules shots test-results'.split(' '));
const TEXT_FILE = /^Dockerfile$|.\.(tsx?|m?js|css|html|md|py|java|yaml|toml|json|env)$/;
/** This file is not read, because it contains wrong citations on purpose. */
const UNREAD_FILE = 'tests/citations.test.ts';

export const readProject = (folder = ''): ProjectFile[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(path) ? [] : readProject(path);
    if (!entry.isFile()) return [];
    const isRead = TEXT_FILE.test(entry.name) && path !== UNREAD_FILE;
    return [{ path, text: isRead ? readFileSync(join(ROOT, path), 'utf8') : '' }];
  });
