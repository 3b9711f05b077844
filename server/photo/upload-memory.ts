import { SECOND_MS } from '#domain/duration.ts';
import { ApiError } from '#server/http/api-error.ts';

/** The memory of uploads in all: 24 pictures of 10 MB. */
const MEMORY_BYTES_MAX = 240_000_000;
/** The approximate memory of an upload without its picture: the parser and its buffers. */
const OVERHEAD_BYTES = 64 * 1024;
/** An upload is not ended for its speed before this time. */
const GRACE_MS = 10 * SECOND_MS;
const RETRY_AFTER_SECONDS = 5;

type Now = () => number;

/** The bytes of one upload in memory. */
export class Upload {
  readonly userId: string;
  readonly #memory: UploadMemory;
  readonly #startedAt: number;
  readonly #chunks: Buffer[] = [];
  #sizeBytes = OVERHEAD_BYTES;
  #isReceived = false;
  #error: ApiError | null = null;
  #reject: (error: ApiError) => void = () => undefined;
  /** Rejects when the upload is ended. */
  readonly ended: Promise<never>;

  constructor(userId: string, memory: UploadMemory, startedAt: number) {
    this.userId = userId;
    this.#memory = memory;
    this.#startedAt = startedAt;
    this.ended = new Promise((_resolve, reject) => (this.#reject = reject));
    this.ended.catch(() => undefined);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Whether the body is still arriving. */
  get isReceiving(): boolean {
    return !this.#isReceived && this.#error === null;
  }

  /** Adds bytes of the picture. Throws the ApiError with which the upload was ended. */
  push(chunk: Buffer): void {
    if (this.#error === null) {
      this.#chunks.push(chunk);
      this.#sizeBytes += chunk.length;
      this.#memory.makeRoom(this);
    }
    if (this.#error !== null) throw this.#error;
  }

  /** Returns the picture when the body has arrived; the upload cannot be ended any more. */
  finish(): Buffer {
    this.#isReceived = true;
    return Buffer.concat(this.#chunks.splice(0));
  }

  /** Frees the memory. The upload fails with the error. */
  end(error: ApiError): void {
    this.#error = error;
    this.#chunks.length = 0;
    this.#sizeBytes = 0;
    this.#reject(error);
  }

  /** Returns bytes in a millisecond; Infinity for an upload that has just begun. */
  speed(now: number): number {
    const ageMs = now - this.#startedAt;
    return ageMs < GRACE_MS ? Infinity : this.#sizeBytes / ageMs;
  }
}

/**
 * Bounds the memory of uploads. While their bodies arrive, slow ones take minutes, so slots would let a
 * few accounts stop all others. Instead an owner has one upload that arrives, and when the memory is
 * used up the slowest of all is ended (docs/security.md#limits).
 */
export class UploadMemory {
  readonly #uploads = new Set<Upload>();
  readonly #bytesMax: number;
  readonly #now: Now;

  constructor({ bytesMax = MEMORY_BYTES_MAX, now = (): number => performance.now() } = {}) {
    this.#bytesMax = bytesMax;
    this.#now = now;
  }

  /** The bytes of all uploads. */
  get sizeBytes(): number {
    let sum = 0;
    for (const { sizeBytes } of this.#uploads) sum += sizeBytes;
    return sum;
  }

  /**
   * Runs an upload. Its owner's earlier one fails with ApiError 'too_many_requests' (429) if it is still
   * arriving. `upload.push` throws ApiError 'unavailable' (503).
   */
  async run<Result>(userId: string, task: (upload: Upload) => Promise<Result>): Promise<Result> {
    for (const earlier of this.#uploads) {
      if (earlier.userId === userId && earlier.isReceiving) earlier.end(replaced());
    }
    const upload = new Upload(userId, this, this.#now());
    this.#uploads.add(upload);
    try {
      return await task(upload);
    } finally {
      this.#uploads.delete(upload);
    }
  }

  /** Ends the slowest uploads until the others fit; if none is slow, the one that grows. */
  makeRoom(growing: Upload): void {
    while (this.sizeBytes > this.#bytesMax && growing.isReceiving) {
      this.#slowest(growing).end(outOfMemory());
    }
  }

  #slowest(growing: Upload): Upload {
    const now = this.#now();
    let slowest = growing;
    for (const upload of this.#uploads) {
      if (upload.isReceiving && upload.speed(now) < slowest.speed(now)) slowest = upload;
    }
    return slowest;
  }
}

function replaced(): ApiError {
  return new ApiError('too_many_requests', 'A later photo of this card is being uploaded.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function outOfMemory(): ApiError {
  return new ApiError('unavailable', 'Too many photos are being uploaded. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
