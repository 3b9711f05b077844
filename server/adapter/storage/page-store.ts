import { hash } from 'node:crypto';
import { constants, readSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

import type { Logger } from 'pino';

import type { Database } from '#server/adapter/database/database.ts';
import { makeFolder } from '#server/adapter/database/data-folder.ts';
import { listSql, sql } from '#server/adapter/database/sql.ts';
import type { Settings } from '#server/settings/settings.ts';
import { BUILD } from '#server/version.ts';

const MIB = 1024 * 1024;
/** For each MB of CARD_CACHE_MB. */
const DISK_MB = 16;
/** Holds the largest page of a card in brotli (10,240 bytes). */
const SLOT_BYTES = 12 * 1024;
const SLOTS_PER_BUCKET = 4;
const BUCKET_BYTES = SLOTS_PER_BUCKET * SLOT_BYTES;
const EMPTY = Buffer.alloc(SLOT_BYTES);
/** A slot begins with the id of the user, a digest of the content, a checksum of what follows, and the end. */
const ID_BYTES = 16;
const SUM_AT = 48;
const END_AT = 52;
const HEAD_BYTES = 56;
/** A disk that is too slow keeps fewer pages. */
const WAITING_MAX = 100;
const CHECKED_AT_ONCE = 100;

/** A page in brotli, and what is needed to send it. */
export interface KeptPage<Facts> {
  readonly facts: Facts;
  readonly body: Buffer;
}

interface Context {
  readonly database: Database;
  readonly log: Logger;
  readonly build?: string;
}

type PageSettings = Pick<Settings, 'dataDir' | 'cardCacheMb'>;

const folderOf = (dataDir: string) => join(dataDir, 'cache');

export const removePages = (dataDir: string) =>
  rm(folderOf(dataDir), { recursive: true, force: true });

/**
 * Opens the file of this build and these settings, and removes those of others. Returns null, and the service goes on
 * without it, if the disk does not allow it.
 */
export async function openPageStore(
  settings: Settings,
  context: Context,
): Promise<PageStore | null> {
  // The name of a node is the only setting that may change at each start, and it reaches no page.
  const { nodeName: _, ...reaching } = settings;
  const { build = BUILD } = context;
  const name = hash('sha256', serialize([build, process.versions, reaching]), 'hex');
  const folder = folderOf(settings.dataDir);
  try {
    await makeFolder(folder);
    for (const other of await readdir(folder))
      if (other !== name) await rm(join(folder, other), { recursive: true, force: true });
    const { O_CREAT, O_RDWR } = constants;
    const file = await open(join(folder, name), O_RDWR | O_CREAT);
    await file.chmod(0o600);
    const pages = new PageStore(file, settings, context);
    await pages.removeGone();
    return pages;
  } catch (error) {
    logOff(context.log, error);
    return null;
  }
}

const logOff = (log: Logger, error: unknown) =>
  log.warn({ err: error }, 'pages of cards are not kept on disk until the next start');

/**
 * Keeps pages in brotli, so that a card that has left memory, or that was rendered before a restart, is not rendered
 * again. A page counts only for the content it was made from, so nothing has to be dropped for a page to be right. The
 * pages of a changed card are overwritten all the same, because they have what its owner has removed.
 *
 * The file is a table of buckets. The pages of a user are in one bucket, which users share, and each page's content
 * decides on its slot, in which it replaces an earlier page.
 */
export class PageStore {
  readonly #context: Context;
  readonly #dataDir: string;
  readonly #buckets: number;
  readonly #slot = Buffer.alloc(SLOT_BYTES);
  #file: FileHandle | null;
  /** The last write of each bucket. Those of a bucket follow each other, so a removal comes after what it removes. */
  readonly #writes = new Map<number, Promise<unknown>>();
  #checked: Promise<void> = Promise.resolve();
  #nextCheck: Promise<void> | null = null;

  constructor(file: FileHandle, { dataDir, cardCacheMb }: PageSettings, context: Context) {
    this.#file = file;
    this.#dataDir = dataDir;
    this.#buckets = Math.floor((cardCacheMb * DISK_MB * MIB) / BUCKET_BYTES);
    this.#context = context;
  }

  /** `content` is all that differs between the pages of one build with the same settings. */
  find<Facts>(userId: string, content: string): KeptPage<Facts> | null {
    const [digest, slot] = [digestOf(content), this.#slot];
    const length = this.#read(slot, this.#positionOf(userId, digest));
    if (length < HEAD_BYTES || !slot.subarray(0, SUM_AT).equals(keyOf(userId, digest))) return null;
    const end = slot.readUInt32LE(END_AT);
    // A crash may have left half of a page.
    if (end > length || crc32(slot.subarray(HEAD_BYTES, end)) !== slot.readUInt32LE(SUM_AT))
      return null;
    const factsEnd = slot.indexOf(0, HEAD_BYTES);
    return {
      facts: JSON.parse(slot.toString('utf8', HEAD_BYTES, factsEnd)) as Facts,
      body: Buffer.from(slot.subarray(factsEnd + 1, end)),
    };
  }

  put<Facts>(userId: string, content: string, { facts, body }: KeptPage<Facts>): void {
    if (this.#writes.size >= WAITING_MAX) return;
    const digest = digestOf(content);
    const rest = Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\0`), body]);
    const head = Buffer.alloc(HEAD_BYTES, keyOf(userId, digest));
    head.writeUInt32LE(crc32(rest), SUM_AT);
    head.writeUInt32LE(HEAD_BYTES + rest.length, END_AT);
    const position = this.#positionOf(userId, digest);
    if (HEAD_BYTES + rest.length <= SLOT_BYTES)
      this.#write(userId, (file) => file.writev([head, rest], position));
  }

  /** Overwrites the pages of a user. */
  remove(userId: string): void {
    const start = this.#bucketOf(userId) * BUCKET_BYTES;
    const slots = Array.from({ length: SLOTS_PER_BUCKET }, (_, slot) => start + slot * SLOT_BYTES);
    this.#write(userId, (file) => this.#erase(file, slots, userId));
  }

  /** Overwrites the pages of users who were removed or blocked while nobody told this process. */
  removeGone(): Promise<void> {
    // A check that has yet to begin notices all that has happened.
    this.#nextCheck ??= this.#checked.then(() => {
      this.#nextCheck = null;
      return this.#removeGone().catch((error: unknown) => this.#switchOff(error));
    });
    return (this.#checked = this.#nextCheck);
  }

  async close(): Promise<void> {
    await this.#checked;
    await this.#allWritten();
    await this.#file?.close();
    this.#file = null;
  }

  async #removeGone(): Promise<void> {
    const { size = 0 } = (await this.#file?.stat()) ?? {};
    const chunkBytes = CHECKED_AT_ONCE * SLOT_BYTES;
    for (let start = 0; start < size; start += chunkBytes) {
      const byUser = new Map<string, number[]>();
      for (let at = start; at < Math.min(start + chunkBytes, size); at += SLOT_BYTES) {
        const userId = this.#userAt(at);
        if (userId !== '') byUser.set(userId, [...(byUser.get(userId) ?? []), at]);
      }
      const rows = await this.#context.database.all<{ id: string }>(
        sql`SELECT id FROM users WHERE id IN ${listSql([...byUser.keys()])} AND blocked_at IS NULL`,
      );
      for (const { id } of rows) byUser.delete(id);
      for (const [userId, slots] of byUser)
        this.#write(userId, (file) => this.#erase(file, slots, userId));
    }
    await this.#allWritten();
  }

  async #erase(file: FileHandle, slots: readonly number[], userId: string): Promise<void> {
    for (const slot of slots)
      if (this.#userAt(slot) === userId) await file.write(EMPTY, 0, SLOT_BYTES, slot);
  }

  #userAt(position: number): string {
    const id = Buffer.alloc(ID_BYTES);
    this.#read(id, position);
    return id[0] === 0 ? '' : id.toString('latin1');
  }

  /** Returns the number of bytes read. */
  #read(target: Buffer, position: number): number {
    try {
      return this.#file === null ? 0 : readSync(this.#file.fd, target, 0, target.length, position);
    } catch (error) {
      void this.#switchOff(error);
      return 0;
    }
  }

  #write(userId: string, write: (file: FileHandle) => Promise<unknown>): void {
    const bucket = this.#bucketOf(userId);
    const written = Promise.resolve(this.#writes.get(bucket))
      .then(() => this.#file && write(this.#file))
      .catch((error: unknown) => this.#switchOff(error))
      .finally(() => this.#writes.get(bucket) === written && this.#writes.delete(bucket));
    this.#writes.set(bucket, written);
  }

  #allWritten(): Promise<unknown> {
    return Promise.all(this.#writes.values());
  }

  /** Removes the file, because nothing would overwrite the pages of cards that are removed from now on. */
  async #switchOff(cause: unknown): Promise<void> {
    const file = this.#file;
    if (file === null) return;
    this.#file = null;
    logOff(this.#context.log, cause);
    await Promise.allSettled([file.close(), removePages(this.#dataDir)]);
  }

  #bucketOf(userId: string): number {
    return crc32(userId) % this.#buckets;
  }

  #positionOf(userId: string, digest: Buffer): number {
    const slot = (digest[0] ?? 0) % SLOTS_PER_BUCKET;
    return this.#bucketOf(userId) * BUCKET_BYTES + slot * SLOT_BYTES;
  }
}

const digestOf = (content: string) => hash('sha256', content, 'buffer');
const keyOf = (userId: string, digest: Buffer) =>
  Buffer.concat([Buffer.from(userId, 'latin1'), digest]);
