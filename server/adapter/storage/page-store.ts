import { hash } from 'node:crypto';
import { constants, readSync } from 'node:fs';
import { open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';
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
const EMPTY = Buffer.alloc(SLOT_BYTES);
/** A head has the user's id and a hash of the content, then a checksum and the length of the page. */
const ID_BYTES = 16;
const SUM_AT = 48;
const LENGTH_AT = 52;
const HEAD_BYTES = 56;
/** The heads of a bucket. */
const BUCKET_BYTES = SLOTS_PER_BUCKET * HEAD_BYTES;
/** A disk that is too slow keeps fewer pages. */
const WAITING_MAX = 100;
/** Keeping a page costs as much as reading it, so a service with more new cards than this keeps some of them. */
const KEPT_PER_SECOND_MAX = 200;
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

const headsOf = (path: string) => `${path}.heads`;
const folderOf = (dataDir: string) => join(dataDir, 'cache');

export const removePages = (dataDir: string) =>
  rm(folderOf(dataDir), { recursive: true, force: true });

/**
 * Opens the pages of this build and these settings, or removes those of others and begins anew. Returns null, and the
 * service goes on without it, if the disk does not allow it.
 */
export async function openPageStore(
  settings: Settings,
  context: Context,
): Promise<PageStore | null> {
  const { dataDir, cardCacheMb } = settings;
  // The name of a node is the only setting that may change at each start, and it reaches no page.
  const { nodeName: _, ...reaching } = settings;
  const { build = BUILD } = context;
  const name = hash('sha256', serialize([build, process.versions, reaching]), 'hex');
  const path = join(folderOf(dataDir), name);
  try {
    const buckets = Math.floor((cardCacheMb * DISK_MB * MIB) / (SLOTS_PER_BUCKET * SLOT_BYTES));
    const written = await readFile(headsOf(path)).catch(() => null);
    // After a crash, nobody knows whose pages the file has.
    const known = written?.length === buckets * BUCKET_BYTES ? written : null;
    await makeFolder(folderOf(dataDir));
    for (const other of await readdir(folderOf(dataDir)))
      if (known === null || other !== name) await unlink(join(folderOf(dataDir), other));
    const { O_CREAT, O_RDWR } = constants;
    const file = await open(path, O_RDWR | O_CREAT, 0o600);
    const heads = known ?? Buffer.alloc(buckets * BUCKET_BYTES);
    const pages = new PageStore({ file, path }, heads, context);
    await pages.removeGone();
    return pages;
  } catch (error) {
    logOff(context.log, error);
    return null;
  }
}

/** Returns when the file has no name any more. Freeing a gigabyte takes seconds, which nobody waits for. */
async function unlink(path: string): Promise<void> {
  const file = await open(path);
  await rm(path);
  void file.close();
}

const logOff = (log: Logger, error: unknown) =>
  log.warn({ err: error }, 'pages of cards are not kept on disk until the next start');

interface OpenFile {
  readonly file: FileHandle;
  readonly path: string;
}

/**
 * Keeps pages in brotli, so that a card that has left memory, or that was rendered before a restart, is not rendered
 * again. A page counts only for the content it was made from, so nothing has to be dropped for a page to be right. The
 * pages of a changed card are overwritten all the same, because they have what its owner has removed.
 *
 * The file is a table of slots, whose heads are in memory until the store is closed. The pages of a user are in one bucket
 * of slots, which users share, and each page's content decides on its slot, in which it replaces an earlier page.
 */
export class PageStore {
  readonly #context: Context;
  readonly #path: string;
  readonly #heads: Buffer;
  #file: FileHandle | null;
  /** The last write of each slot. Those of a slot follow each other, so a removal comes after what it removes. */
  readonly #writes = new Map<number, Promise<unknown>>();
  #second = 0;
  #keptInSecond = 0;
  #checked: Promise<void> = Promise.resolve();
  #nextCheck: Promise<void> | null = null;

  constructor({ file, path }: OpenFile, heads: Buffer, context: Context) {
    this.#file = file;
    this.#path = path;
    this.#heads = heads;
    this.#context = context;
  }

  find<Facts>(key: Buffer): KeptPage<Facts> | null {
    const slot = this.#slotOf(key);
    const head = this.#headOf(slot);
    if (this.#file === null || !head.subarray(0, SUM_AT).equals(key)) return null;
    const bytes = Buffer.allocUnsafe(Math.min(head.readUInt32LE(LENGTH_AT), SLOT_BYTES));
    try {
      readSync(this.#file.fd, bytes, 0, bytes.length, slot * SLOT_BYTES);
    } catch (error) {
      void this.#switchOff(error);
      return null;
    }
    // It may not be written yet, and a crash may have left half of it.
    if (crc32(bytes) !== head.readUInt32LE(SUM_AT)) return null;
    const factsEnd = bytes.indexOf(0);
    return {
      facts: JSON.parse(bytes.toString('utf8', 0, factsEnd)) as Facts,
      body: bytes.subarray(factsEnd + 1),
    };
  }

  put<Facts>(key: Buffer, { facts, body }: KeptPage<Facts>): void {
    const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\0`), body]);
    const isTooMany = this.#writes.size >= WAITING_MAX || !this.#isWithinRate();
    if (isTooMany || bytes.length > SLOT_BYTES) return;
    const slot = this.#slotOf(key);
    const head = this.#headOf(slot);
    key.copy(head);
    head.writeUInt32LE(crc32(bytes), SUM_AT);
    head.writeUInt32LE(bytes.length, LENGTH_AT);
    this.#write(slot, bytes);
  }

  /** Overwrites the pages of a user. */
  remove(userId: string): void {
    const first = this.#bucketOf(userId);
    for (let slot = first; slot < first + SLOTS_PER_BUCKET; slot += 1)
      if (this.#userOf(slot) === userId) this.#empty(slot);
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
    if (this.#file === null) return;
    await writeFile(headsOf(this.#path), this.#heads, { mode: 0o600 });
    await this.#file.close();
    this.#file = null;
  }

  async #removeGone(): Promise<void> {
    const slots = this.#heads.length / HEAD_BYTES;
    for (let start = 0; start < slots && this.#file !== null; start += CHECKED_AT_ONCE) {
      const length = Math.min(CHECKED_AT_ONCE, slots - start);
      const all = Array.from({ length }, (_, index) => this.#userOf(start + index));
      const users = all.filter((userId) => userId !== '');
      if (users.length === 0) continue;
      const rows = await this.#context.database.all<{ id: string }>(
        sql`SELECT id FROM users WHERE id IN ${listSql(users)} AND blocked_at IS NULL`,
      );
      const present = new Set(rows.map(({ id }) => id));
      for (const userId of users) if (!present.has(userId)) this.remove(userId);
    }
  }

  #isWithinRate(): boolean {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second !== this.#second) [this.#second, this.#keptInSecond] = [second, 0];
    return (this.#keptInSecond += 1) <= KEPT_PER_SECOND_MAX;
  }

  #empty(slot: number): void {
    this.#headOf(slot).fill(0);
    this.#write(slot, EMPTY);
  }

  #write(slot: number, bytes: Buffer): void {
    const written = Promise.resolve(this.#writes.get(slot))
      .then(() => this.#file?.write(bytes, 0, bytes.length, slot * SLOT_BYTES))
      .catch((error: unknown) => this.#switchOff(error))
      .finally(() => this.#writes.get(slot) === written && this.#writes.delete(slot));
    this.#writes.set(slot, written);
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
    await Promise.allSettled([file.close(), rm(this.#path)]);
  }

  #headOf(slot: number): Buffer {
    return this.#heads.subarray(slot * HEAD_BYTES, (slot + 1) * HEAD_BYTES);
  }

  /** Returns '' for an empty slot. */
  #userOf(slot: number): string {
    const head = this.#headOf(slot);
    return head[0] === 0 ? '' : userIn(head);
  }

  /** Returns the first slot of the user's bucket. */
  #bucketOf(userId: string): number {
    return (crc32(userId) % (this.#heads.length / BUCKET_BYTES)) * SLOTS_PER_BUCKET;
  }

  #slotOf(key: Buffer): number {
    return this.#bucketOf(userIn(key)) + ((key[ID_BYTES] ?? 0) % SLOTS_PER_BUCKET);
  }
}

const userIn = (head: Buffer) => head.toString('latin1', 0, ID_BYTES);

/** Returns the key of a page. `content` is all that differs between pages of the same build and settings. */
export const pageKey = (userId: string, content: unknown): Buffer =>
  Buffer.concat([Buffer.from(userId, 'latin1'), hash('sha256', JSON.stringify(content), 'buffer')]);
