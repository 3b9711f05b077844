import type { KeptFile } from './photo-store.ts';

/** One answer to "what is in this bucket". */
export interface BucketPage {
  readonly files: readonly KeptFile[];
  /** Asks for the next page; null at the end. */
  readonly next: string | null;
}

/**
 * Reads a store's list of objects (ListObjectsV2): flat XML, of which three elements are needed.
 * Gives names without the folder. Throws Error where an answer of 200 is no such list.
 */
export function readPage(xml: string, folder: string): BucketPage {
  const isTruncated = textOf(xml, 'IsTruncated');
  if (isTruncated === null) throw new Error('The store answered with something else than a list.');
  const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, one = '']) => {
    const key = textOf(one, 'Key') ?? '';
    const keptAt = Date.parse(textOf(one, 'LastModified') ?? '');
    return key.startsWith(folder) && !Number.isNaN(keptAt)
      ? [{ name: key.slice(folder.length), keptAt }]
      : [];
  });
  const next = isTruncated === 'true' ? textOf(xml, 'NextContinuationToken') : null;
  if (isTruncated === 'true' && !next) throw new Error('The store cut its list and says no more.');
  return { files, next };
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** The text of the first element of a name; null where there is none. */
export function textOf(xml: string, element: string): string | null {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  if (found === undefined) return null;
  return found.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, entity: string) => {
    if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole;
    // JavaScript writes hexadecimal numbers as XML does, but for the zero in front.
    return String.fromCodePoint(Number(entity.slice(1).replace(/^x/i, '0x')));
  });
}
