import type { StoredFile } from './photo-store.ts';

/** One page of a bucket's object list. */
interface BucketPage {
  readonly files: readonly StoredFile[];
  /** Continuation token of the next page; null on the last page. */
  readonly nextToken: string | null;
}

/**
 * Parses a ListObjectsV2 response. Returns the files with names relative to the folder. Throws Error
 * if the XML is not an object list.
 */
export function parseBucketPage(xml: string, folder: string): BucketPage {
  const isTruncated = xmlText(xml, 'IsTruncated');
  if (isTruncated === null) throw new Error("The store's response is not a list.");
  const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, entry = '']) => {
    const key = xmlText(entry, 'Key') ?? '';
    const modifiedAt = Date.parse(xmlText(entry, 'LastModified') ?? '');
    return key.startsWith(folder) && !Number.isNaN(modifiedAt)
      ? [{ name: key.slice(folder.length), modifiedAt }]
      : [];
  });
  if (isTruncated !== 'true') return { files, nextToken: null };
  const nextToken = xmlText(xml, 'NextContinuationToken');
  if (!nextToken)
    throw new Error('The store returned a truncated list without a continuation token.');
  return { files, nextToken };
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Returns the text of the first element with a name; null if there is no such element. */
export function xmlText(xml: string, element: string): string | null {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  if (text === undefined) return null;
  return text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (reference, entity: string) => {
    if (!entity.startsWith('#')) return ENTITIES[entity] ?? reference;
    // A hexadecimal number is x41 in XML and 0x41 in JavaScript.
    return String.fromCodePoint(Number(entity.slice(1).replace(/^x/i, '0x')));
  });
}
