import { CONTACT_FILE_SIZE_BYTES_MAX } from '#domain/share.ts';

import { readCards } from './cards.ts';
import type { Card } from './cards.ts';
import { toFileText } from './characters.ts';

/** The page can paint and respond after each slice of this length. */
const SLICE_MS = 30;
/** Matches the titles of columns. Other formats of address books have colons or brackets in their first line. */
const CSV_LINE = /^[^\r\n:<{[]*[,;\t].*[\r\n]/;
const SAMPLE_BYTES = 2000;
/** Pictures, archives and workbooks contain these characters, and text files do not. */
// eslint-disable-next-line no-control-regex -- control characters are matched on purpose
const BINARY_CHARACTER = /[\0-\x08\x0e-\x1a]/;

/** Passes on each card of a vCard file. Returns a sentence that says why there is none, or ''. */
export async function readCardFile(
  file: Blob,
  wanted: RegExp,
  onCard: (card: Card) => void,
): Promise<string> {
  if (file.size > CONTACT_FILE_SIZE_BYTES_MAX)
    return 'This file is too large. Choose one of up to 20 MB.';
  const bytes = new Uint8Array(await file.arrayBuffer());
  let [isEmpty, sliceStart] = [true, performance.now()];
  for (const card of readCards(bytes, wanted)) {
    if (performance.now() - sliceStart > SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve));
      sliceStart = performance.now();
    }
    if (card === null) continue;
    isEmpty = false;
    onCard(card);
  }
  return isEmpty ? describeOtherFormat(bytes) : '';
}

function describeOtherFormat(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'This file is empty.';
  const start = new TextDecoder().decode(toFileText(bytes.subarray(0, SAMPLE_BYTES)).bytes);
  return CSV_LINE.test(start) && !BINARY_CHARACTER.test(start)
    ? 'This is a CSV file. Export the contacts as vCard (.vcf) instead, and choose that file.'
    : "This isn't a vCard file. Export the contacts as vCard (.vcf), and choose that file.";
}
