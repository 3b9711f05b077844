import { Readable } from 'node:stream';

import { exportCsv, exportVcard } from '#contract/contacts-view.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/db/database.ts';
import { PAGE_SIZE } from '#server/db/pages.ts';
import { createDownloadLimit } from '#server/limit/download-limit.ts';
import { route } from '#server/http/route.ts';
import { writeContactVcards, writeContactCsv } from './contact-export.ts';
import { toStoredContact } from './contacts.ts';
import type { StoredContact } from './contacts.ts';

import { findRows } from './find.ts';
import type { ContactQuery } from './find.ts';

const EXPORTS = [
  { endpoint: exportCsv, fileName: 'contacts.csv', write: writeContactCsv },
  { endpoint: exportVcard, fileName: 'contacts.vcf', write: writeContactVcards },
] as const;

/** A file is written while it is sent, so that one page is in memory. */
export function exportRoutes(context: AppContext): void {
  const { database, clock } = context.dependencies;
  const limitDownloads = createDownloadLimit(clock);
  for (const { endpoint, fileName, write } of EXPORTS) {
    route(context, endpoint, async ({ caller: { userId }, body, reply }) => {
      const contactQuery = { userId, ...body };
      const file = await limitDownloads(userId, async () =>
        Readable.from(write(readAll(database, contactQuery)), { highWaterMark: 0 }),
      );
      void reply.header('content-disposition', `attachment; filename="${fileName}"`);
      return file;
    });
  }
}

/** In pages, the held ones last. */
async function* readAll(
  database: Database,
  contactQuery: Omit<ContactQuery, 'isHeld'>,
): AsyncGenerator<readonly StoredContact[]> {
  for (const isHeld of [false, true]) {
    for await (const rows of findRows(database, { ...contactQuery, isHeld }, { size: PAGE_SIZE })) {
      yield rows.map(toStoredContact);
    }
  }
}
