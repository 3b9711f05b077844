import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** An empty folder, which is deleted at the end of the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Closes at the end of the test what it has opened. What is opened for a whole file, the file closes. */
export function closeAtEnd(close: () => Promise<unknown>): void {
  try {
    onTestFinished(async () => void (await close()));
  } catch {
    // No test runs.
  }
}
