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
import { ADDED_MAX } from '#contract/contacts-view.ts';
import type { RequestInput } from '#contract/endpoint.ts';
import { ARCHIVE_FILES, ARCHIVE_VERSION } from '#domain/archive.ts';
import type { ArchiveFile } from '#domain/archive.ts';
import { templatesSchema } from '#domain/follow-up.ts';
import type { Template } from '#domain/follow-up.ts';
import { LOGO_SIZE_BYTES_MAX } from '#domain/logo.ts';
import { IMAGE_SIZE_BYTES_MAX } from '#domain/photo.ts';

// The content security policy allows no workers from blobs.
configure({ useWebWorkers: false });

const ARCHIVE_SIZE_BYTES_MAX = 200_000_000;
const TEXT_SIZE_BYTES_MAX = 1_000_000;
const CONTACTS_SIZE_BYTES_MAX = 1_000_000_000;
/** The longest contact takes 20 KB with its escapes. */
const CONTACT_LENGTH_MAX = 100_000;
/** A part may take 1 MiB in a request, and a character takes at most three bytes of it. */
const PART_LENGTH_MAX = 300_000;

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

type OnPart = (contacts: BroughtContact[]) => Promise<void> | void;

export interface Archive {
  readonly card: Card;
  readonly photo: Blob | null;
  readonly logo: Blob | null;
  readonly templates: readonly Template[];
  /** The link of the card on the old server. */
  readonly link: string;
  readonly contactCount: number;
  /** Splits the contacts into parts that each fit one request, calls `onPart` with each part, and waits for it. */
  readonly readParts: (onPart: OnPart) => Promise<void>;
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
  if ((await file.slice(0, 2).text()) !== 'PK')
    throw new ArchiveError("This isn't a ZIP file. Choose the one from 'Download everything'.");
  const { entries, isForeign } = await readEntries(file);
  // The library rejects a file that is larger than it declares.
  const find = (name: ArchiveFile, sizeMax = TEXT_SIZE_BYTES_MAX) => {
    const entry = entries.get(name);
    if (entry && entry.uncompressedSize > sizeMax) throw new ArchiveError(BOMB);
    return entry;
  };
  const read = async (name: ArchiveFile, sizeMax?: number) =>
    (await find(name, sizeMax)?.getData(new BlobWriter())) ?? null;
  const readText = async (name: ArchiveFile) => (await (await read(name))?.text()) ?? '';
  const readJson = async (name: ArchiveFile): Promise<unknown> =>
    entries.has(name) ? JSON.parse(await readText(name)) : undefined;

  const version = Number.parseInt(await readText('version'), 10);
  // A newer archive may have files that are unknown here.
  if (version > ARCHIVE_VERSION) throw new ArchiveError(TOO_NEW);
  if (isForeign || !entries.has('card.json')) throw new ArchiveError(FOREIGN);
  if (!(version >= 1)) throw new ArchiveError(TOO_OLD);
  const translations = Object.entries((await readJson('translations.json')) ?? {});
  const card = bringIn.body.parse({
    card: await readJson('card.json'),
    extras: await readJson('extras.json'),
    translations: translations.map(([language, texts]: [string, object]) => ({
      ...texts,
      language,
    })),
    look: await readJson('look.json'),
  });
  const contacts = find('contacts.json', CONTACTS_SIZE_BYTES_MAX);
  let contactCount = 0;
  await readParts(contacts, ({ length }) => {
    contactCount += length;
  });
  return {
    card,
    photo: await read('photo.jpg', IMAGE_SIZE_BYTES_MAX),
    logo: await read('logo.webp', LOGO_SIZE_BYTES_MAX),
    templates: templatesSchema.parse((await readJson('templates.json')) ?? []),
    link: (await readText('card-link.txt')).trim(),
    contactCount,
    readParts: (onPart) => readParts(contacts, onPart),
  };
}

/**
 * Safari on a Mac unpacks an archive. If the owner packs it again, its files are in a folder, beside files of macOS.
 */
const FOLDER = /^[^/]+\//;
const MACOS_FILE = /^__MACOSX\/|(?:^|\/)\.DS_Store$/;

async function readEntries(file: Blob) {
  const entries = new Map<ArchiveFile, FileEntry>();
  let isForeign = false;
  const reader = new ZipReader(new BlobReader(file), { checkSignature: true });
  for await (const entry of reader.getEntriesGenerator()) {
    if (entry.directory || MACOS_FILE.test(entry.filename)) continue;
    const path = entry.filename.replace(FOLDER, '');
    const name = ARCHIVE_FILES.find((one) => one === path);
    if (name === undefined || entry.encrypted || entries.has(name)) isForeign = true;
    else entries.set(name, entry);
  }
  return { entries, isForeign };
}

/** A server writes each contact on a line of its own, so this keeps only one part in memory. */
async function readParts(entry: FileEntry | undefined, onPart: OnPart): Promise<void> {
  const decoder = new TextDecoder();
  let [rest, part, length]: [string, BroughtContact[], number] = ['', [], 0];
  const readLine = async (line: string) => {
    const text = line.replaceAll(/^\[|[,\]]$/g, '');
    if (text === '') return;
    part.push(broughtContact.parse(JSON.parse(text)));
    length += text.length;
    if (part.length === ADDED_MAX || length > PART_LENGTH_MAX) await endPart();
  };
  const endPart = async () => {
    if (part.length > 0) await onPart(part);
    [part, length] = [[], 0];
  };
  const write = async (bytes: Uint8Array) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > CONTACT_LENGTH_MAX) throw new ArchiveError(DAMAGED);
    for (const line of lines) await readLine(line);
  };
  await entry?.getData(new WritableStream({ write }));
  await readLine(rest);
  await endPart();
}
