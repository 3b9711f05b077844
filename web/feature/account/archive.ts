import {
  BlobReader,
  BlobWriter,
  ERR_UNSAFE_FILENAME,
  ZipReader,
  configure,
} from '@zip.js/zip.js/index-native.js';
import type { FileEntry } from '@zip.js/zip.js/index-native.js';

import { bringIn, broughtContact } from '#contract/bring-in.ts';
import type { BroughtContact } from '#contract/bring-in.ts';
import type { RequestInput } from '#contract/endpoint.ts';
import { ARCHIVE_FILES, ARCHIVE_VERSION } from '#domain/archive.ts';
import type { ArchiveFile } from '#domain/archive.ts';
import { LOGO_SIZE_BYTES_MAX } from '#domain/logo.ts';
import { IMAGE_SIZE_BYTES_MAX } from '#domain/photo.ts';

// The content security policy allows no workers from blobs.
configure({ useWebWorkers: false });

const ARCHIVE_SIZE_BYTES_MAX = 200_000_000;
const TEXT_SIZE_BYTES_MAX = 1_000_000;
const CONTACTS_SIZE_BYTES_MAX = 1_000_000_000;
/** The longest contact takes 20 KB with its escapes. */
const CONTACT_LENGTH_MAX = 100_000;

const DAMAGED =
  'This archive is damaged or was cut off. Download it again, and choose the new file.';
const FOREIGN = "This isn't an archive from 'Download everything'.";
const TOO_OLD =
  "This archive is from a version that can't move cards yet. Ask the operator of the old service to update it, then press 'Download everything' there again.";
const TOO_NEW =
  'This archive is from a newer version. Ask the operator of this service to update it first.';
const OUTSIDE = "Some file names in this archive aren't safe, so we didn't read it.";
const BOMB =
  "A file in this archive is far larger than it should be, so we didn't bring anything in.";

/** The message is a sentence for the user. */
class ArchiveError extends Error {}

type Card = Omit<RequestInput<typeof bringIn>['body'] & object, 'token'>;

export interface Archive {
  readonly card: Card;
  readonly photo: Blob | null;
  readonly logo: Blob | null;
  /** The link of the card on the old server. */
  readonly link: string;
  readonly contactCount: number;
  readonly contacts: () => AsyncGenerator<BroughtContact>;
}

/** Reads all of an archive once, so that nothing of a damaged one is sent. Rejects with a sentence. */
export async function openArchive(file: Blob): Promise<Archive> {
  if (file.size > ARCHIVE_SIZE_BYTES_MAX)
    throw new ArchiveError('This file is too large. An archive has at most 200 MB.');
  try {
    return await readArchive(file);
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause;
    const isOutside = cause instanceof Error && cause.message === ERR_UNSAFE_FILENAME;
    throw new ArchiveError(isOutside ? OUTSIDE : DAMAGED, { cause });
  }
}

async function readArchive(file: Blob): Promise<Archive> {
  const start = await file.slice(0, 2).text();
  if (start !== 'PK')
    throw new ArchiveError("This isn't a ZIP file. Choose the one from 'Download everything'.");
  const { entries, isForeign } = await readEntries(file);
  const version = Number.parseInt(await readText(entries, 'version'), 10);
  // A newer archive may have files that are unknown here.
  if (version > ARCHIVE_VERSION) throw new ArchiveError(TOO_NEW);
  if (isForeign || !entries.has('card.json')) throw new ArchiveError(FOREIGN);
  if (!(version >= 1)) throw new ArchiveError(TOO_OLD);
  const translations = await readJson<Record<string, object>>(entries, 'translations.json');
  const card = bringIn.body.safeParse({
    card: await readJson(entries, 'card.json'),
    extras: await readJson(entries, 'extras.json'),
    translations:
      translations &&
      Object.entries(translations).map(([language, texts]) => ({ ...texts, language })),
    look: await readJson(entries, 'look.json'),
  });
  if (!card.success) throw new ArchiveError(DAMAGED);
  const contacts = () => readContacts(entries.get('contacts.json'));
  let contactCount = 0;
  for await (const contact of contacts()) if (contact) contactCount += 1;
  return {
    card: card.data,
    photo: await readBlob(entries.get('photo.jpg'), IMAGE_SIZE_BYTES_MAX),
    logo: await readBlob(entries.get('logo.webp'), LOGO_SIZE_BYTES_MAX),
    link: (await readText(entries, 'card-link.txt')).trim(),
    contactCount,
    contacts,
  };
}

type Entries = ReadonlyMap<ArchiveFile, FileEntry>;

async function readEntries(file: Blob) {
  const entries = new Map<ArchiveFile, FileEntry>();
  let isForeign = false;
  for await (const entry of new ZipReader(new BlobReader(file)).getEntriesGenerator()) {
    const name = ARCHIVE_FILES.find((one) => one === entry.filename);
    if (name === undefined || entry.directory || entry.encrypted || entries.has(name))
      isForeign = true;
    else entries.set(name, entry);
  }
  return { entries, isForeign };
}

/** Yields the text of a file in pieces. Rejects after `sizeMax` bytes, whatever size the archive declares. */
async function* readPieces(entry: FileEntry | undefined, sizeMax: number): AsyncGenerator<string> {
  if (!entry) return;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.length;
      if (size > sizeMax) throw new ArchiveError(BOMB);
      controller.enqueue(chunk);
    },
  });
  const written = entry.getData(counted.writable, { checkSignature: true });
  // The reader below rejects too.
  written.catch(() => undefined);
  const reader = counted.readable.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      yield decoder.decode(value, { stream: !done });
      if (done) break;
    }
  } finally {
    await reader.cancel();
  }
  await written;
}

async function readText(entries: Entries, name: ArchiveFile): Promise<string> {
  let text = '';
  for await (const piece of readPieces(entries.get(name), TEXT_SIZE_BYTES_MAX)) text += piece;
  return text;
}

async function readJson<Value>(entries: Entries, name: ArchiveFile): Promise<Value | undefined> {
  const text = await readText(entries, name);
  return text === '' ? undefined : (JSON.parse(text) as Value);
}

async function readBlob(entry: FileEntry | undefined, sizeMax: number): Promise<Blob | null> {
  if (!entry) return null;
  if (entry.uncompressedSize > sizeMax) throw new ArchiveError(BOMB);
  return entry.getData(new BlobWriter(), { checkSignature: true });
}

async function* readContacts(entry: FileEntry | undefined): AsyncGenerator<BroughtContact> {
  for await (const item of readItems(readPieces(entry, CONTACTS_SIZE_BYTES_MAX))) {
    const contact = broughtContact.safeParse(item);
    if (!contact.success) throw new ArchiveError(DAMAGED);
    yield contact.data;
  }
}

/** Yields the objects of a JSON list one by one, so that the whole list is never in memory. */
async function* readItems(pieces: AsyncIterable<string>): AsyncGenerator {
  let [item, depth, isInText, isEscaped] = ['', 0, false, false];
  for await (const piece of pieces) {
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const character = piece[at] ?? '';
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else if (character === '"') isInText = false;
      } else if (character === '"') isInText = true;
      else if (character === '{' || character === '[') {
        depth += 1;
        if (depth === 2) start = at;
      } else if (character === '}' || character === ']') {
        depth -= 1;
        if (depth !== 1) continue;
        yield JSON.parse(item + piece.slice(start, at + 1));
        item = '';
      }
    }
    if (depth > 1) item += piece.slice(start);
    if (item.length > CONTACT_LENGTH_MAX) throw new ArchiveError(DAMAGED);
  }
  if (depth !== 0) throw new ArchiveError(DAMAGED);
}

const PART_COUNT_MAX = 500;
/** A character takes at most three bytes, and a part at most 1 MiB. */
const PART_LENGTH_MAX = 300_000;

/** Yields the contacts in the parts in which they are sent. */
export async function* partsOf(archive: Archive): AsyncGenerator<BroughtContact[]> {
  let [part, length]: [BroughtContact[], number] = [[], 0];
  for await (const contact of archive.contacts()) {
    const contactLength = JSON.stringify(contact).length;
    if (
      part.length === PART_COUNT_MAX ||
      (part.length > 0 && length + contactLength > PART_LENGTH_MAX)
    ) {
      yield part;
      [part, length] = [[], 0];
    }
    part.push(contact);
    length += contactLength;
  }
  if (part.length > 0) yield part;
}
