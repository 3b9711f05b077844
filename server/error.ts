import { API_ERRORS } from '#contract/api-error.ts';
import type { ApiErrorCode } from '#contract/api-error.ts';
import { CARD_BLOCKED } from '#domain/blocked-card.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { en } from '#domain/language/en.ts';
import type { Language } from '#domain/language/language.ts';

type TranslatedMessage = (texts: Catalogue, language: Language) => string;

/** An error that the caller receives as a code of the contract and a sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly retryAfterSeconds: number | null;
  readonly translate: TranslatedMessage | null;

  constructor(
    code: ApiErrorCode,
    message: string | TranslatedMessage,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(typeof message === 'string' ? message : message(en, 'en'), { cause: options.cause });
    this.code = code;
    this.translate = typeof message === 'string' ? null : message;
    this.status = API_ERRORS[code];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

const RETRY_AFTER_SECONDS = 5;

export function unavailableError(message: string, cause?: unknown): ApiError {
  return new ApiError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

export function cardNotFoundError(): ApiError {
  return new ApiError('not_found', "There's no such card.");
}

export function cardBlockedError(
  message: string | TranslatedMessage = `${CARD_BLOCKED}.`,
): ApiError {
  return new ApiError('card_blocked', message);
}

export function phoneBlockedError(): ApiError {
  return cardBlockedError(({ answer }) => answer.phoneBlocked);
}

export function sessionInvalidError(): ApiError {
  return new ApiError('session_invalid', "This session has ended or isn't yours. Sign in again.");
}

export function notInvitedError(): ApiError {
  return new ApiError('not_invited', ({ signin }) => signin.notInvited);
}

/** The company's login has no verified number of this person, or the number is bound to somebody else. */
export function notVouchedError(): ApiError {
  return new ApiError('not_vouched', ({ signin }) => signin.notVouched);
}

export function fieldLockedError(): ApiError {
  return new ApiError('field_locked', 'Your company sets this.');
}

export function verificationRequiredError(
  message = "Your phone isn't verified, or no longer is. Request a new code.",
): ApiError {
  return new ApiError('verification_required', message);
}

export function tokenInvalidError(): ApiError {
  return new ApiError('token_invalid', 'This sign-in is no longer valid. Request a new code.');
}

export function codeWrongError(): ApiError {
  return new ApiError('code_invalid', ({ answer }) => answer.codeWrong);
}

export function codeExpiredError(): ApiError {
  return new ApiError('code_invalid', ({ answer }) => answer.codeExpired);
}
