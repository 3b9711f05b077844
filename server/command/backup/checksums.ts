import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { StartError } from '#server/start-error.ts';

import type { Step } from './copy.ts';

/** The file has the format of sha256sum, so that `sha256sum -c SHA256SUMS` checks a backup too. */
export const CHECKSUM_FILE = 'SHA256SUMS';

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export async function writeChecksums(
  folder: string,
  names: readonly string[],
  step: Step,
): Promise<void> {
  const temporary = join(folder, `${CHECKSUM_FILE}.part`);
  const file = await open(temporary, 'w');
  try {
    for (const [index, name] of names.entries()) {
      step('checksums', index);
      await file.write(`${await hashFile(join(folder, name))}  ${name}\n`);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(folder, CHECKSUM_FILE));
}

export async function verifyChecksums(folder: string, step: Step): Promise<void> {
  const text = await readFile(join(folder, CHECKSUM_FILE), 'utf8').catch(() => '');
  if (text === '') {
    throw new StartError(
      `${folder} is not a complete backup, because ${CHECKSUM_FILE} is missing. Choose another backup.`,
    );
  }
  for (const [index, line] of text.trimEnd().split('\n').entries()) {
    step('checksums', index);
    const [expected = '', name = ''] = line.split('  ');
    const actual = await hashFile(join(folder, name)).catch(() => 'missing');
    if (actual !== expected)
      throw new StartError(
        `The backup is damaged: ${name} has changed or is missing. Choose another backup.`,
      );
  }
}
