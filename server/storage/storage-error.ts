import { ApiError } from '#server/http/api-error.ts';

const RETRY_AFTER_SECONDS = 5;

/** Does what must keep files; where it fails, the owner hears that nothing was saved. */
export async function mapWriteError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new ApiError('unavailable', 'The photo store did not take this: not saved. Try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    });
  }
}

/** Does what reads files; where it fails, there may be a photo nevertheless. */
export async function mapReadError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new ApiError('unavailable', 'The photo store does not answer. Try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause,
    });
  }
}
