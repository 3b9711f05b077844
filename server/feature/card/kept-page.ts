import type { OutgoingHttpHeaders } from 'node:http';

import type { AppContext } from '#server/context.ts';
import { pageKey } from '#server/adapter/storage/page-store.ts';
import type { Card } from '#server/adapter/profile/card.ts';
import type { CardKey } from '#server/http/cache/public-route.ts';
import type { SharedPart } from '#server/http/representation.ts';
import { StoredResponse } from '#server/http/stored-response.ts';

/** `position` and `at` are the lengths of the first part, before and after it is compressed. */
interface PageFacts {
  readonly etag: string;
  readonly position: number;
  /** This is null if the page was compressed as a whole. */
  readonly at: number | null;
}

interface Page {
  readonly headers: OutgoingHttpHeaders;
  readonly partAt: (position: number) => Promise<SharedPart>;
  readonly render: () => readonly [first: Buffer, last: string];
}

/** Returns a function that reads the page of a card from the node's disk, or else renders it and keeps it there. */
export function createPageKeeper({ responses, dependencies: { pages } }: AppContext) {
  return async (card: Card, key: CardKey, page: Page): Promise<StoredResponse> => {
    const { headers, partAt, render } = page;
    const keyOnDisk = pages && pageKey(key.userId, [card, key.origin, key.pageLanguage]);
    const kept = keyOnDisk && (await pages.find<PageFacts>(keyOnDisk));
    if (kept) {
      const { etag, position, at } = kept.facts;
      const shared = at === null ? {} : { shared: { part: await partAt(position), at } };
      return new StoredResponse({ body: kept.body, encoding: 'br', etag, headers, ...shared });
    }
    const [first, last] = render();
    const response = new StoredResponse({
      shared: { part: await partAt(first.length), at: first.length },
      body: Buffer.concat([first, Buffer.from(last)]),
      headers,
    });
    const { encoding, shared, body, at } = await response.encode(key.encoding ?? 'br');
    // If the card has changed meanwhile, this page may contain what its owner has just removed.
    if (keyOnDisk && encoding === 'br' && response.etag !== null && !responses.isVoid(key.ticket)) {
      const isWhole = shared.length === 0;
      const facts = { etag: response.etag, position: first.length, at: isWhole ? null : at };
      pages.put<PageFacts>(keyOnDisk, { facts, body });
    }
    return response;
  };
}
