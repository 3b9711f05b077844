import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { FastifyRequest } from 'fastify';

import { ApiError, sessionInvalidError, unavailableError } from '#server/error.ts';
import { createDatabaseLimiter } from '#server/adapter/database/limiter.ts';
import { SAVE_REJECTED, checkBlocked } from '#server/adapter/profile/store.ts';
import type { PhotoFile, PhotoStore } from '#server/adapter/storage/photo-store.ts';

import { receiveUpload } from './receive-upload.ts';
import type { ReadPicture } from './receive-upload.ts';

/** More than the uploads of one owner that several nodes accept at the same time. */
const REPLACE_ATTEMPTS_MAX = 10;
/** At once (docs/security.md#limits). */
const UPLOADS_MAX = 32;
const RETRY_AFTER_SECONDS = 5;

interface PictureRow {
  readonly path: string;
  readonly blocked_at: number | null;
}

export interface PictureKind<Picture, Row extends PictureRow, Changed> {
  readonly name: 'photo' | 'logo';
  readonly sizeBytesMax: number;
  /** Whether the body must have the `_id`; otherwise the path has it. */
  readonly isIdRequired: boolean;
  /** Throws ApiError 'not_a_picture'. */
  readonly decode: (read: ReadPicture) => Promise<Picture>;
  readonly find: (userId: string) => Promise<Row | null>;
  /** `previous` is the path of the picture that is replaced. */
  readonly files: (userId: string, picture: Picture, previous: string) => PictureFiles;
  readonly fileNames: (path: string) => readonly string[];
  /** A path of '' and a picture of null remove it. Null if the row is not as it was found. */
  readonly change: (change: PictureChange<Picture, Row>) => Promise<Changed | null>;
}

export interface PictureFiles {
  readonly path: string;
  readonly files: readonly PhotoFile[];
}

export interface PictureChange<Picture, Row> {
  readonly userId: string;
  readonly found: Row;
  readonly path: string;
  readonly picture: Picture | null;
}

const NO_FILES: PictureFiles = { path: '', files: [] };

interface RunningUpload {
  readonly name: 'photo' | 'logo';
  rejection: ApiError | null;
}

export class Uploads {
  readonly #photos: PhotoStore;
  readonly #folder: string;
  readonly #running = new Map<string, RunningUpload>();
  /** An owner's pictures are replaced one after the other, with one database connection. */
  readonly #replacements = createDatabaseLimiter();

  constructor(photos: PhotoStore, dataDir: string) {
    this.#photos = photos;
    this.#folder = join(dataDir, 'uploads');
  }

  /** Removes what arrived before a crash. An upload of another node in the same folder is 503. */
  async start(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    await mkdir(this.#folder, { recursive: true });
  }

  async upload<Picture, Row extends PictureRow, Changed>(
    kind: PictureKind<Picture, Row, Changed>,
    userId: string,
    request: FastifyRequest,
  ) {
    const { name, sizeBytesMax, isIdRequired } = kind;
    if (this.#running.has(userId))
      throw unavailableError(
        'Another picture of this card is being uploaded. Try again in a moment.',
      );
    if (this.#running.size >= UPLOADS_MAX)
      throw unavailableError('Too many pictures are being uploaded. Try again in a moment.');
    const running: RunningUpload = { name, rejection: null };
    this.#running.set(userId, running);
    try {
      const upload = { request, userId, folder: this.#folder, sizeBytesMax, isIdRequired };
      const picture = await kind.decode(await receiveUpload(upload));
      return await this.#replacements.run(async () => {
        if (running.rejection) throw running.rejection;
        return { picture, ...(await this.#replace(kind, userId, picture)) };
      }, userId);
    } finally {
      this.#running.delete(userId);
    }
  }

  async remove<Picture, Row extends PictureRow, Changed>(
    kind: PictureKind<Picture, Row, Changed>,
    userId: string,
  ): Promise<Changed> {
    const running = this.#running.get(userId);
    if (running?.name === kind.name) {
      const message = `The ${kind.name} was removed meanwhile.`;
      const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
      running.rejection = new ApiError('too_many_requests', message, options);
    }
    const { changed } = await this.#replacements.run(
      () => this.#replace(kind, userId, null),
      userId,
    );
    return changed;
  }

  /** The upload of a user who is removed stores nothing. */
  end(userId: string): void {
    const running = this.#running.get(userId);
    if (running) running.rejection = sessionInvalidError();
  }

  /**
   * The new files are durable before the row changes, only from what was found; the old ones are
   * removed after it. An interruption leaves the card complete (docs/security.md#photos).
   */
  async #replace<Picture, Row extends PictureRow, Changed>(
    kind: PictureKind<Picture, Row, Changed>,
    userId: string,
    picture: Picture | null,
  ): Promise<{ readonly path: string; readonly changed: Changed }> {
    let rejected: readonly string[] = [];
    for (let attempt = 0; ; attempt += 1) {
      const found = await kind.find(userId);
      const used = kind.fileNames(found?.path ?? '');
      await this.#removeFiles(rejected.filter((name) => !used.includes(name)));
      if (found === null) throw sessionInvalidError();
      checkBlocked(found, SAVE_REJECTED);
      if (attempt === REPLACE_ATTEMPTS_MAX)
        throw unavailableError(`Other ${kind.name}s of this card are being saved. Try again.`);
      const { path, files } = picture === null ? NO_FILES : kind.files(userId, picture, found.path);
      if (files.length > 0) await this.#photos.save(files);
      const changed = await kind.change({ userId, found, path, picture });
      if (changed !== null) {
        if (path !== found.path) await this.#removeFiles(used);
        return { path, changed };
      }
      rejected = files.map(({ name }) => name);
    }
  }

  /** After a failure the cleanup removes the files that remain. */
  async #removeFiles(names: readonly string[]): Promise<void> {
    if (names.length > 0) await this.#photos.remove(names).catch(() => undefined);
  }
}
