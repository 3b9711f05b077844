import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { stringify } from 'csv-stringify/sync';

import { cardPath } from '#domain/share.ts';
import { qrSvg } from '#view/qr-code.ts';
import { BYTE_ORDER_MARK, escapeFormulas } from '#server/feature/contact/contact-export.ts';
import { reasonOf } from '#server/start-error.ts';

import { AdminError } from './context.ts';

export interface LinkFiles {
  /** A CSV file, for messages to the people. */
  readonly links?: string;
  /** A folder, for the printer. */
  readonly qr?: string;
}

interface Person {
  /** E.164. */
  readonly phone: string;
  readonly name: string;
  /** Null for one without a card. */
  readonly userId: string | null;
}

/** Throws AdminError. */
export async function writeLinks(
  people: readonly Person[],
  { links, qr }: LinkFiles,
  publicUrl: string,
): Promise<void> {
  const cards = people.flatMap(({ phone, name, userId }) =>
    userId === null ? [] : [{ userId, phone, name, link: publicUrl + cardPath(userId) }],
  );
  try {
    if (links !== undefined) {
      const cells = cards.map(({ phone, name, link }) => [
        // A spreadsheet reads a text with a plus as a formula.
        phone.replace('+', ''),
        escapeFormulas(name),
        link,
      ]);
      await writeFile(links, BYTE_ORDER_MARK + stringify([['phone', 'name', 'link'], ...cells]));
    }
    if (qr === undefined) return;
    await mkdir(qr, { recursive: true });
    for (const { userId, link } of cards) await writeFile(join(qr, `${userId}.svg`), qrSvg(link));
  } catch (error) {
    throw new AdminError(
      `The people are imported, but a file was not written (${reasonOf(error)}).`,
    );
  }
}
