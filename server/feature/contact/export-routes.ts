import { Readable } from 'node:stream';

import { exportCsv, exportVcard } from '#contract/contacts-view.ts';
import type { AppContext } from '#server/context.ts';
import { createDownloadLimit } from '#server/http/download-limit.ts';
import { route } from '#server/http/route.ts';
import { writeContactVcards, writeContactCsv } from './contact-export.ts';
import { readContactUsage } from './contacts.ts';

import { findContact } from './contacts-view-store.ts';
import { readContactPages } from './find.ts';
import type { PagesQuery } from './find.ts';

/** A file is written while it is sent, so that only one page of contacts is in memory. */
export function exportRoutes(context: AppContext): void {
  const { database, clock, readPhone } = context.dependencies;
  const limitDownloads = createDownloadLimit(clock);
  const { timeZone } = context.settings;
  const writeCsv = async (query: PagesQuery) =>
    writeContactCsv(readContactPages(database, query), {
      usage: await readContactUsage(database, query.userId),
      timeZone,
    });
  const writeVcards = async (query: PagesQuery) =>
    writeContactVcards(readContactPages(database, query), readPhone);
  for (const [endpoint, fileName, write] of [
    [exportCsv, 'contacts.csv', writeCsv],
    [exportVcard, 'contacts.vcf', writeVcards],
  ] as const) {
    route(context, endpoint, async ({ caller: { userId }, body, reply }) => {
      if (body.contacts) await findContact(database, { userId, contactId: body.contacts });
      const file = await limitDownloads(userId, async () =>
        Readable.from(await write({ userId, ...body }), { highWaterMark: 0 }),
      );
      void reply.header('content-disposition', `attachment; filename="${fileName}"`);
      return file;
    });
  }
}
