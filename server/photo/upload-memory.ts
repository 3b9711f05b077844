import { SECOND_MS } from '#domain/duration.ts';
import { IMAGE_SIZE_BYTES_MAX } from '#domain/photo.ts';
import { ApiError } from '#server/error.ts';

const LARGEST_UPLOADS_MAX = 24;
const BLOCK_BYTES = 64 * 1024;
/** The approximate memory of an upload without its picture: the parser, and the last block. */
const OVERHEAD_BYTES = 2 * BLOCK_BYTES;
/** The memory of uploads in all. */
const MEMORY_BYTES_MAX = LARGEST_UPLOADS_MAX * (IMAGE_SIZE_BYTES_MAX + OVERHEAD_BYTES);
/** The progress of an upload is measured in intervals of this time. */
const INTERVAL_MS = 10 * SECOND_MS;
const RETRY_AFTER_SECONDS = 5;

type Now = () => number;

/** The bytes of one upload in memory. */
export class Upload {
  readonly userId: string;
  readonly #memory: UploadMemory;
  readonly #startedAt: number;
  /** The picture. Chunks are copied: one buffer for each would be large if they have a few bytes. */
  readonly #blocks: Buffer[] = [];
  #pictureBytes = 0;
  #sizeBytes = OVERHEAD_BYTES;
  /** The number of complete intervals. */
  #intervals = 0;
  #intervalBytes = 0;
  /** An upload that has just begun is not slow. */
  #progressBytes = Infinity;
  #hasArrived = false;
  #error: ApiError | null = null;
  #reject: (error: ApiError) => void = () => undefined;
  /** Rejects when the upload is ended. */
  readonly ended: Promise<never>;

  constructor(userId: string, memory: UploadMemory) {
    this.userId = userId;
    this.#memory = memory;
    this.#startedAt = memory.now();
    this.ended = new Promise((_resolve, reject) => (this.#reject = reject));
    this.ended.catch(() => undefined);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Whether the whole body has arrived. */
  get hasArrived(): boolean {
    return this.#hasArrived;
  }

  /** Whether the body is still arriving. */
  get isReceiving(): boolean {
    return !this.#hasArrived && this.#error === null;
  }

  /**
   * The bytes of the last complete interval; Infinity in the first interval. An average since the
   * start would favour an upload that begins fast and then almost stops.
   */
  get progressBytes(): number {
    this.#completeIntervals();
    return this.#progressBytes;
  }

  /** Adds bytes of the picture. Throws the ApiError with which the upload was ended. */
  push(chunk: Buffer): void {
    if (this.#error === null) {
      this.#copy(chunk);
      this.#sizeBytes += chunk.length;
      this.#completeIntervals();
      this.#intervalBytes += chunk.length;
      this.#memory.makeRoom(this);
    }
    this.check();
  }

  /**
   * Returns the picture when the body has arrived; no other upload can end this one any more. Throws
   * the ApiError with which it was ended.
   */
  finish(): Buffer {
    this.check();
    this.#hasArrived = true;
    return Buffer.concat(this.#blocks.splice(0), this.#pictureBytes);
  }

  /** Ends the upload, which fails with the error, and frees the memory of a body that is arriving. */
  end(error: ApiError): void {
    this.#error ??= error;
    // The decoder still has a picture that has arrived.
    if (!this.#hasArrived) {
      this.#blocks.length = 0;
      this.#sizeBytes = 0;
    }
    this.#reject(error);
  }

  /** Throws the ApiError with which the upload was ended. */
  check(): void {
    if (this.#error !== null) throw this.#error;
  }

  #copy(chunk: Buffer): void {
    let copied = 0;
    while (copied < chunk.length) {
      const offset = this.#pictureBytes % BLOCK_BYTES;
      if (offset === 0) this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
      const count = chunk.copy(this.#blocks.at(-1) as Buffer, offset, copied);
      copied += count;
      this.#pictureBytes += count;
    }
  }

  #completeIntervals(): void {
    const intervals = Math.floor((this.#memory.now() - this.#startedAt) / INTERVAL_MS);
    if (intervals === this.#intervals) return;
    this.#progressBytes = intervals === this.#intervals + 1 ? this.#intervalBytes : 0;
    this.#intervalBytes = 0;
    this.#intervals = intervals;
  }
}

/**
 * Bounds the memory of uploads. While their bodies arrive, slow ones take minutes, so slots would let a
 * few accounts stop all others. Instead an owner has one upload until it is decoded, and when the
 * memory is used up the slowest that arrives is ended (docs/security.md#limits).
 */
export class UploadMemory {
  readonly #uploads = new Map<string, Upload>();
  readonly #bytesMax: number;
  /** Returns the time in milliseconds. */
  readonly now: Now;

  constructor({ bytesMax = MEMORY_BYTES_MAX, now = (): number => performance.now() } = {}) {
    this.#bytesMax = bytesMax;
    this.now = now;
  }

  /** The bytes of all uploads. */
  get sizeBytes(): number {
    let sum = 0;
    for (const { sizeBytes } of this.#uploads.values()) sum += sizeBytes;
    return sum;
  }

  /**
   * Runs an upload until its picture is decoded. The owner's earlier one fails with ApiError
   * 'too_many_requests' (429) if it is still arriving, else this one does. `upload.push` throws
   * ApiError 'unavailable' (503).
   */
  async run<Result>(userId: string, task: (upload: Upload) => Promise<Result>): Promise<Result> {
    const earlier = this.#uploads.get(userId);
    if (earlier?.hasArrived) throw tooManyUploads('Your last photo is still being read.');
    earlier?.end(tooManyUploads('A later photo of this card is being uploaded.'));
    const upload = new Upload(userId, this);
    this.#uploads.set(userId, upload);
    try {
      const result = await task(upload);
      upload.check();
      return result;
    } finally {
      if (this.#uploads.get(userId) === upload) this.#uploads.delete(userId);
    }
  }

  /** Ends the upload of an owner, whether it is arriving or being decoded. */
  cancel(userId: string): void {
    this.#uploads.get(userId)?.end(tooManyUploads('The photo was removed meanwhile.'));
  }

  /** Ends the slowest uploads until the others fit; if none is slow, the one that grows. */
  makeRoom(growing: Upload): void {
    while (this.sizeBytes > this.#bytesMax && growing.isReceiving) {
      this.#slowest(growing).end(outOfMemory());
    }
  }

  #slowest(growing: Upload): Upload {
    let slowest = growing;
    for (const upload of this.#uploads.values()) {
      if (upload.isReceiving && upload.progressBytes < slowest.progressBytes) slowest = upload;
    }
    return slowest;
  }
}

function tooManyUploads(message: string): ApiError {
  return new ApiError('too_many_requests', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function outOfMemory(): ApiError {
  return new ApiError('unavailable', 'Too many photos are being uploaded. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
