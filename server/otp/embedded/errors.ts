import { ApiError } from '#server/http/api-error.ts';

import { waitInWords } from './limits.ts';

const SECOND_MS = 1000;
const DAY_SECONDS = 86_400;

/** A limit on sending was reached; `waitMs` until it is good again. */
export function tooManySends(waitMs: number): ApiError {
  const seconds = Math.ceil(waitMs / SECOND_MS);
  return new ApiError(
    'too_many_requests',
    `Too many codes were asked for. Try again in ${waitInWords(seconds)}.`,
    { retryAfterSeconds: seconds },
  );
}

/** The service as a whole sees too many wrong codes. */
export function tooManyFailures(waitMs: number): ApiError {
  const seconds = Math.ceil(waitMs / SECOND_MS);
  return new ApiError(
    'too_many_requests',
    `Codes cannot be checked right now. Try again in ${waitInWords(seconds)}.`,
    { retryAfterSeconds: seconds },
  );
}

/** A phone that is locked until a person acts. */
export function phoneLocked(supportEmail: string): ApiError {
  return new ApiError(
    'too_many_requests',
    `This number is locked after too many wrong codes. Write to ${supportEmail}.`,
    { retryAfterSeconds: DAY_SECONDS },
  );
}

export function codeWrong(): ApiError {
  return new ApiError('code_invalid', 'This code is not right. Check it and try again.');
}

/** Expired, used, or tried too often: which one is nobody's business. */
export function codeOver(): ApiError {
  return new ApiError('code_invalid', 'This code is not valid any more. Ask for a new one.');
}

export function gatewayFailed(cause: unknown): ApiError {
  return new ApiError('unavailable', 'The code could not be sent. Try again.', {
    retryAfterSeconds: 1,
    cause,
  });
}
