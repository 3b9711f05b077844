import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { MINUTE_MS } from '#domain/duration.ts';
import { IMAGE_SIDE_PX_MIN } from '#domain/photo.ts';
import { ApiError, sessionInvalidError, unavailableError } from '#server/error.ts';
import { createDatabaseLimiter, rehearse } from '#server/adapter/database/database.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import type { Rejected } from '#server/adapter/image/decode.ts';
import { lockCardStatements, runCardChange } from '#server/adapter/profile/store.ts';
import type { Cards } from '#server/adapter/profile/store.ts';
import { throwNotSaved } from '#server/adapter/storage/photo-store.ts';
import type { PhotoFile, PhotoStore } from '#server/adapter/storage/photo-store.ts';

/** At most this many uploads run at once (docs/develop/security.md#limits). */
const UPLOADS_MAX = 32;
const RETRY_AFTER_SECONDS = 5;
/** An upload contains the picture, `_id`, and a few fields that are ignored. */
const UPLOAD_LIMITS = {
  files: 1,
  fields: 10,
  fieldNameSize: 100,
  fieldSize: 1024,
  headerPairs: 50,
} as const;

interface Upload {
  readonly name: 'photo' | 'logo';
  readonly request: FastifyRequest;
  readonly userId: string;
  readonly sizeBytesMax: number;
  /** Whether the body must contain the `_id`. Otherwise the path contains it. */
  readonly isIdRequired: boolean;
}

/** No request takes this long (docs/develop/security.md#limits). */
const ARRIVAL_MS_MAX = 10 * MINUTE_MS;

type ReadPicture = () => Promise<Uint8Array>;

interface Replacement<Before> {
  readonly userId: string;
  /** These reject the change, or read what it replaces, once the card is locked. */
  readonly checks: readonly Statement[];
  /** This is empty if the picture is removed. */
  readonly files: readonly PhotoFile[];
  /** This statement returns the row after the change. */
  readonly change: Statement;
  readonly previousNames: (before: Before) => readonly string[];
}

interface RunningUpload {
  readonly name: Upload['name'];
  rejection: ApiError | null;
}

export class Uploads {
  readonly #photos: PhotoStore;
  readonly #cards: Cards;
  readonly #folder: string;
  readonly #running = new Map<string, RunningUpload>();
  /** Replaces an owner's pictures one after the other. A removal waits for an upload that is being stored. */
  readonly #replacements = createDatabaseLimiter();

  constructor(photos: PhotoStore, cards: Cards, dataDir: string) {
    this.#photos = photos;
    this.#cards = cards;
    this.#folder = join(dataDir, 'uploads');
  }

  /** Removes files that a crash has left, but no upload that another node on this folder may still be receiving. */
  async start(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const file = await stat(path).catch(() => null);
      if (file && Date.now() - file.mtimeMs > ARRIVAL_MS_MAX) await rm(path, { force: true });
    }
  }

  /** Receives and decodes a picture, then runs `store`, which calls `replace`. */
  async upload<Picture, Stored>(
    upload: Upload,
    decode: (read: ReadPicture) => Promise<Picture | Rejected>,
    store: (picture: Picture) => Promise<Stored>,
  ): Promise<Stored> {
    const { name, userId } = upload;
    if (this.#running.has(userId))
      throw unavailableError(
        'Another picture is being uploaded for this card. Try again in a moment.',
      );
    if (this.#running.size >= UPLOADS_MAX)
      throw unavailableError('Too many pictures are being uploaded. Try again in a moment.');
    const running: RunningUpload = { name, rejection: null };
    this.#running.set(userId, running);
    try {
      const picture = await decode(await receiveUpload(upload, this.#folder));
      if (isRejected(picture)) throw new ApiError('not_a_picture', PICTURE_ERRORS[picture.reason]);
      return await this.#replacements.run(() => {
        if (running.rejection) throw running.rejection;
        return store(picture);
      }, userId);
    } finally {
      this.#running.delete(userId);
    }
  }

  async remove<Stored>(
    name: Upload['name'],
    userId: string,
    store: () => Promise<Stored>,
  ): Promise<Stored> {
    const running = this.#running.get(userId);
    if (running?.name === name) {
      const message = `The ${name} was removed in the meantime.`;
      const options = { retryAfterSeconds: RETRY_AFTER_SECONDS };
      running.rejection = new ApiError('too_many_requests', message, options);
    }
    return this.#replacements.run(store, userId);
  }

  /** Makes sure that a running upload of a user who is being removed stores nothing. */
  cancel(userId: string): void {
    const running = this.#running.get(userId);
    if (running) running.rejection = sessionInvalidError();
  }

  /**
   * The new files are durable before the row changes, and the old files are removed afterwards. An
   * interruption leaves the card complete (docs/develop/security.md#photos). Each upload has names of its own, so
   * that one of several nodes that replaces the picture of another removes exactly that picture's files.
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the row of the caller's statement
  async replace<Before extends object, After extends object>({
    userId,
    files,
    change,
    ...replacement
  }: Replacement<Before>): Promise<{ before: Before; after: After }> {
    const checks = [...lockCardStatements(userId), ...replacement.checks];
    await rehearse(this.#cards.database, checks);
    if (files.length > 0) await this.#photos.save(files);
    const statements = [...checks, change];
    const results = await runCardChange<object>(this.#cards, userId, statements).catch(
      async (error: unknown) => {
        // The change was rejected, for example because the card was blocked meanwhile. After any other error the
        // row may have changed.
        if (error instanceof ApiError) await this.#removeFiles(files.map(({ name }) => name));
        throw error;
      },
    );
    const after = results.pop()?.[0] as After;
    const before = Object.assign({}, ...results.flat()) as Before;
    await this.#removeFiles(replacement.previousNames(before));
    return { before, after };
  }

  /** If this fails, the cleanup removes the files that remain. */
  async #removeFiles(names: readonly string[]): Promise<void> {
    if (names.length > 0) await this.#photos.remove(names).catch(() => undefined);
  }
}

/** Registers routes that receive uploads. No other route accepts multipart bodies. */
export function acceptUploads(
  fastify: FastifyInstance,
  register: (fastify: FastifyInstance) => void,
): void {
  const plugin = async (scope: FastifyInstance) => {
    await scope.register(multipart);
    register(scope);
  };
  // The plugin would log an error for each upload that its client aborts.
  void fastify.register(plugin, { logLevel: 'silent' });
}

/** Returns a function that reads the uploaded file, which is removed after the response. Throws ApiError. */
async function receiveUpload(
  { request, userId, sizeBytesMax: fileSize, isIdRequired }: Upload,
  tmpdir: string,
): Promise<ReadPicture> {
  if (!request.isMultipart()) {
    throw new ApiError('media_type_unsupported', 'Send multipart/form-data with image and _id.');
  }
  // The parser would wait for ever for a body whose connection is already closed.
  if (request.raw.destroyed) throwBodyError(new Error('The connection is closed.'));
  const limits = { ...UPLOAD_LIMITS, fileSize };
  const { files, values } = await request
    .saveRequestFiles({ tmpdir, limits })
    .catch(throwBodyError)
    // The unread rest of a body would block the next request of its connection.
    .finally(() => request.raw.unpipe().resume());
  const field = values['_id'];
  const id = typeof field === 'object' && field && 'value' in field ? field.value : null;
  if (id === null && isIdRequired) throw new ApiError('invalid_input', '_id is missing');
  if (id !== null && id !== userId) throw sessionInvalidError();
  const image = files.find(({ fieldname }) => fieldname === 'image');
  if (!image?.file.bytesRead) {
    throw new ApiError('invalid_input', 'image is missing: send a picture file');
  }
  return () => readFile(image.filepath).catch(throwNotSaved);
}

function throwBodyError(error: unknown): never {
  // The parser's own errors have a status. The errors of an incomplete or damaged body have none.
  if (error instanceof Error && 'statusCode' in error) throw error;
  if (error instanceof Error && 'syscall' in error) throwNotSaved(error);
  throw new ApiError('invalid_input', "We couldn't read the upload.", { cause: error });
}

const PICTURE_ERRORS: Record<Rejected['reason'], string> = {
  not_a_picture: "This image isn't a JPEG, PNG or WebP that we can read.",
  too_small: `This image must be at least ${IMAGE_SIDE_PX_MIN} x ${IMAGE_SIDE_PX_MIN} pixels.`,
  too_many_pixels: 'This image has too many pixels. We can read up to 8192 x 6144.',
  damaged: 'This image is damaged: part of the file is missing or wrong.',
  heic: 'This image is a HEIC photo. Save it as a JPG, then choose that.',
};

function isRejected(decoded: unknown): decoded is Rejected {
  return (decoded as Partial<Rejected>).kind === 'rejected';
}
