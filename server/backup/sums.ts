import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { StartError } from '#server/start-error.ts';

/** In the format of sha256sum, so that `sha256sum -c SHA256SUMS` judges a backup too. */
const SUMS = 'SHA256SUMS';

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Writes down what the files of a backup hold. Its last act: a backup without it is not whole. */
export async function writeSums(folder: string, names: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const name of names) lines.push(`${await sumOf(join(folder, name))}  ${name}\n`);
  const draft = join(folder, `${SUMS}.part`);
  const file = await open(draft, 'w');
  await file.writeFile(lines.join(''));
  await file.sync();
  await file.close();
  await rename(draft, join(folder, SUMS));
}

/** Throws StartError with a sentence where a backup is not whole or not as it was made. */
export async function checkSums(folder: string): Promise<void> {
  const lines = await readFile(join(folder, SUMS), 'utf8').catch(() => '');
  if (lines === '') {
    throw new StartError(`${folder} holds no whole backup: it has no ${SUMS}.`);
  }
  for (const line of lines.trimEnd().split('\n')) {
    const [sum = '', name = ''] = line.split('  ');
    const found = await sumOf(join(folder, name)).catch(() => 'nothing');
    if (found !== sum)
      throw new StartError(`The backup is damaged: ${name} is not as it was made.`);
  }
}
