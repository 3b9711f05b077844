import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { stringify } from 'csv-stringify/sync';

import { cardPath } from '#domain/share.ts';
import { BYTE_ORDER_MARK, escapeFormulas } from '#server/feature/contact/contact-export.ts';
import { reasonOf } from '#server/start-error.ts';
import { qrSvg } from '#view/qr-code.ts';

import type { Options } from './context.ts';

interface Person extends Readonly<Record<'phone' | 'name', string>> {
  /** Null if there is no card to link to. */
  readonly userId: string | null;
}

/** Returns a sentence for each path that cannot be written. */
export async function writeLinks(
  people: readonly Person[],
  { links, qr }: Options,
  publicUrl: string,
): Promise<string> {
  const cards = people.flatMap(({ phone, name, userId }) =>
    userId === null ? [] : [{ userId, phone, name, link: publicUrl + cardPath(userId) }],
  );
  const writeTable = async (file: string) => {
    // A spreadsheet would read the plus of a phone as the start of a formula.
    const cells = cards.map((card) => [card.phone.slice(1), escapeFormulas(card.name), card.link]);
    await writeFile(file, BYTE_ORDER_MARK + stringify([['phone', 'name', 'link'], ...cells]));
  };
  const writeCodes = async (folder: string) => {
    await mkdir(folder, { recursive: true });
    for (const { userId, link } of cards)
      await writeFile(join(folder, `${userId}.svg`), qrSvg(link));
  };
  const sentences = [await tryWrite(links, writeTable), await tryWrite(qr, writeCodes)];
  return sentences.filter(Boolean).join(' ');
}

async function tryWrite(path: string | undefined, write: (path: string) => Promise<void>) {
  if (path === undefined) return '';
  return write(path).then(
    () => '',
    (error: unknown) => `${path} cannot be written (${reasonOf(error)}).`,
  );
}
