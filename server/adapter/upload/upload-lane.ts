import { ApiError } from '#server/error.ts';
import { Lane } from '#server/http/limit/lane.ts';

/** The uploads at once, each with a temporary file: 2 GB of the disk. */
const UPLOADS_MAX = 200;
const RETRY_AFTER_SECONDS = 5;

/** Runs the uploads of an owner one after the other, and ends one that a later call makes obsolete. */
export class UploadLane {
  readonly #later: string;
  readonly #owner: Lane;
  readonly #all: Lane;
  /** The latest upload of each owner. */
  readonly #latest = new Map<string, AbortController>();

  constructor(what: 'photo' | 'logo') {
    this.#later = `A later ${what} of this card is being uploaded.`;
    this.#owner = new Lane({
      runningMax: 1,
      waitingMax: 1,
      whenFull: 'replace',
      createError: () => tooManyUploads(this.#later),
    });
    this.#all = new Lane({
      runningMax: UPLOADS_MAX,
      waitingMax: 0,
      createError: () =>
        new ApiError(
          'unavailable',
          `Too many ${what}s are being uploaded. Try again in a moment.`,
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        ),
    });
  }

  /**
   * Runs an upload after the owner's earlier ones, which are ended with ApiError 'too_many_requests'.
   * The reason of the signal is the ApiError with which this one is ended. Throws ApiError
   * 'unavailable' if too many uploads run.
   */
  async run<Result>(
    userId: string,
    task: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    this.end(userId, tooManyUploads(this.#later));
    const controller = new AbortController();
    this.#latest.set(userId, controller);
    try {
      return await this.#owner.run(() => this.#all.run(() => task(controller.signal)), userId);
    } finally {
      if (this.#latest.get(userId) === controller) this.#latest.delete(userId);
    }
  }

  /** Ends the upload of an owner with an error. */
  end(userId: string, error: ApiError): void {
    this.#latest.get(userId)?.abort(error);
  }
}

export function tooManyUploads(message: string, retryAfterSeconds = RETRY_AFTER_SECONDS): ApiError {
  return new ApiError('too_many_requests', message, { retryAfterSeconds });
}
