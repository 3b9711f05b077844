import { hash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';

import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { listSql, sql } from '#server/adapter/database/sql.ts';

/** Holds the largest page of a card in brotli (10,240 bytes). */
const SLOT_BYTES = 12 * 1024;
const SLOTS_PER_BUCKET = 4;
const EMPTY = Buffer.alloc(SLOT_BYTES);
/** A head has the user's id and a hash of the content, then a checksum and the length of the page. */
const ID_BYTES = 16;
const SUM_AT = 48;
const LENGTH_AT = 52;
const HEAD_BYTES = 56;
const SUM_BYTES = 4;
export const BUCKET_BYTES = SLOTS_PER_BUCKET * SLOT_BYTES;
export const BUCKET_HEAD_BYTES = SLOTS_PER_BUCKET * HEAD_BYTES;
/** While this many writes are waiting, no further page is kept, so a slow disk keeps fewer pages. */
const WAITING_MAX = 100;
/** Bounds the writes of a machine whose core renders more pages than this, to about 7 MB a second. */
const KEPT_PER_SECOND_MAX = 600;
/** While the service serves, a check reads so few rows at once that no request waits for longer than 0.3 ms. */
const CHECKED_AT_ONCE = 20;
const CHECK_AGAIN_MS = 5 * SECOND_MS;

/** A page in brotli, and what is needed to send it. */
export interface KeptPage<Facts> {
  readonly facts: Facts;
  readonly body: Buffer;
}

export interface PageContext {
  readonly database: Database;
  readonly log: Logger;
}

const headsOf = (path: string) => `${path}.heads`;

/** Returns the heads that the last stop saved, or null. Without them, nobody knows whose pages the file has. */
export async function readHeads(path: string, headBytes: number): Promise<Buffer | null> {
  const bytes = await readFile(headsOf(path)).catch(() => null);
  if (bytes?.length !== headBytes + SUM_BYTES) return null;
  const heads = bytes.subarray(0, headBytes);
  return crc32(heads) === bytes.readUInt32LE(headBytes) ? heads : null;
}

async function writeHeads(path: string, heads: Buffer): Promise<void> {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(crc32(heads));
  await writeFile(headsOf(path), Buffer.concat([heads, sum]), { mode: 0o600 });
}

export const logOff = (log: Logger, error: unknown) =>
  log.warn({ err: error }, 'card pages are not kept on disk until the service restarts');

interface OpenFile {
  readonly file: FileHandle;
  readonly path: string;
  readonly unlock: () => void;
}

/**
 * Keeps pages in brotli, so that a card that has left memory, or that was rendered before a restart, is not rendered
 * again. A page is found only by the content it was made from, so no outdated page is ever sent. The pages of a changed
 * card are overwritten all the same, because they may contain what its owner has removed.
 *
 * The file is a table of slots, whose heads stay in memory until the store is closed. All pages of a user are in one
 * bucket of slots, which several users share. The hash of a page's content chooses the slot, and the page replaces
 * whatever that slot held before.
 */
export class PageStore {
  readonly #context: PageContext;
  readonly #path: string;
  readonly #heads: Buffer;
  readonly #unlock: () => void;
  #file: FileHandle | null;
  /** The last pending write of each slot. Writes to one slot run in order, so no earlier page can undo a removal. */
  readonly #writes = new Map<number, Promise<unknown>>();
  #second = 0;
  #keptInSecond = 0;
  #isClosing = false;
  #checked: Promise<void> = Promise.resolve();
  #nextCheck: Promise<void> | null = null;

  constructor({ file, path, unlock }: OpenFile, heads: Buffer, context: PageContext) {
    this.#file = file;
    this.#path = path;
    this.#unlock = unlock;
    this.#heads = heads;
    this.#context = context;
  }

  async find<Facts>(key: Buffer): Promise<KeptPage<Facts> | null> {
    const slot = this.#slotOf(key);
    const head = this.#headOf(slot);
    if (this.#file === null || !head.subarray(0, SUM_AT).equals(key)) return null;
    const bytes = Buffer.allocUnsafe(Math.min(head.readUInt32LE(LENGTH_AT), SLOT_BYTES));
    try {
      await this.#file.read(bytes, 0, bytes.length, slot * SLOT_BYTES);
    } catch (error) {
      await this.#switchOff(error);
      return null;
    }
    // The page may not have been written yet, or a power failure may have left half of it.
    if (crc32(bytes) !== head.readUInt32LE(SUM_AT)) return null;
    const factsEnd = bytes.indexOf(0);
    return {
      facts: JSON.parse(bytes.toString('utf8', 0, factsEnd)) as Facts,
      body: bytes.subarray(factsEnd + 1),
    };
  }

  put<Facts>(key: Buffer, { facts, body }: KeptPage<Facts>): void {
    if (this.#file === null || this.#writes.size >= WAITING_MAX) return;
    const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\0`), body]);
    if (bytes.length > SLOT_BYTES || !this.#isWithinRate()) return;
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
  removeGone(checkedAtOnce = CHECKED_AT_ONCE): Promise<void> {
    // A check that has not begun yet will see the latest changes, so this call needs no check of its own.
    this.#nextCheck ??= this.#checked.then(() => {
      this.#nextCheck = null;
      // For example, the database is not available now.
      return this.#removeGone(checkedAtOnce).catch(() => {
        setTimeout(() => void this.removeGone(), CHECK_AGAIN_MS).unref();
      });
    });
    return (this.#checked = this.#nextCheck);
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    // This ends a running check early, because the next start checks all slots again.
    this.#isClosing = true;
    await this.#checked;
    await Promise.all(this.#writes.values());
    try {
      if (this.#file !== null) await writeHeads(this.#path, this.#heads);
      await this.#file?.close();
    } catch (error) {
      await this.#switchOff(error);
    }
    this.#file = null;
    this.#unlock();
  }

  async #removeGone(checkedAtOnce: number): Promise<void> {
    const slots = this.#heads.length / HEAD_BYTES;
    for (let start = 0; start < slots; start += checkedAtOnce) {
      if (this.#file === null || this.#isClosing) return;
      const length = Math.min(checkedAtOnce, slots - start);
      const all = Array.from({ length }, (_, index) => this.#userOf(start + index));
      const users = all.filter((userId) => userId !== '');
      if (users.length === 0) continue;
      await setImmediate();
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
    return (crc32(userId) % (this.#heads.length / BUCKET_HEAD_BYTES)) * SLOTS_PER_BUCKET;
  }

  #slotOf(key: Buffer): number {
    return this.#bucketOf(userIn(key)) + ((key[ID_BYTES] ?? 0) % SLOTS_PER_BUCKET);
  }
}

const userIn = (head: Buffer) => head.toString('latin1', 0, ID_BYTES);

/** Returns the key of a page. `content` is all that differs between pages of the same build and settings. */
export const pageKey = (userId: string, content: unknown): Buffer =>
  Buffer.concat([Buffer.from(userId, 'latin1'), hash('sha256', JSON.stringify(content), 'buffer')]);
