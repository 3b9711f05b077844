import { ApiError } from '#server/http/api-error.ts';

const RETRY_AFTER_SECONDS = 5;

/** The provider did not answer, or not so that its answer could be trusted. */
export function providerUnavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', 'Signing in is not possible right now. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** The provider knows us not: only who runs the service can help, and reads of it in the log. */
export function providerMisconfigured(what: string): ApiError {
  return new ApiError('misconfigured', 'Signing in is not set up yet. Try again later.', {
    cause: new Error(what),
  });
}
