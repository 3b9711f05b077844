import { API_ERRORS } from '#contract/api-error.ts';
import type { ApiErrorCode } from '#contract/api-error.ts';

/** An error that the caller sees: a code of the contract and a sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ApiErrorCode;
  /** The value of the Retry-After header, or null for no header. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ApiErrorCode,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = API_ERRORS[code];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
