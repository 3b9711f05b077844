import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** Creates an empty folder that is deleted at the end of the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Closes something at the end of the test. A file that opens it for all of its tests must close it itself. */
export function closeAtEnd(close: () => Promise<unknown>): void {
  try {
    onTestFinished(async () => void (await close()));
  } catch {
    // Outside a test, Vitest throws.
  }
}
