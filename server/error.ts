import { API_ERRORS } from '#contract/api-error.ts';
import type { ApiErrorCode } from '#contract/api-error.ts';
import { CARD_BLOCKED } from '#domain/blocked-card.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { ANSWER } from '#domain/language/en.ts';
import type { Language } from '#domain/language/language.ts';

/** Translates the message of an error that visitors see too. */
type TranslatedMessage = (texts: Catalogue['answer'], language: Language) => string;

/** An error that the caller sees: a code of the contract and a sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly retryAfterSeconds: number | null;
  /** Null for an English message only. */
  readonly translate: TranslatedMessage | null;

  constructor(
    code: ApiErrorCode,
    message: string | TranslatedMessage,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(typeof message === 'string' ? message : message(ANSWER, 'en'), { cause: options.cause });
    this.code = code;
    this.translate = typeof message === 'string' ? null : message;
    this.status = API_ERRORS[code];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

export function cardNotFoundError(): ApiError {
  return new ApiError('not_found', 'There is no such card.');
}

export function cardBlockedError(
  message: string | TranslatedMessage = `${CARD_BLOCKED}.`,
): ApiError {
  return new ApiError('card_blocked', message);
}

export function phoneBlockedError(): ApiError {
  return cardBlockedError(({ phoneBlocked }) => phoneBlocked);
}

/** Returns the error for a session that is missing, ended or another user's. */
export function sessionInvalidError(): ApiError {
  return new ApiError('session_invalid', 'This session has ended or is not yours. Sign in again.');
}

/** Returns the error for a phone without an account and an invitation. */
export function notInvitedError(): ApiError {
  return new ApiError('not_invited', ({ notInvited }) => notInvited);
}

/** Returns the error for a change of what LOCKED_FIELDS names. */
export function fieldLockedError(): ApiError {
  return new ApiError('field_locked', 'Your company sets this.');
}

/** Returns the error for a change that needs a new verification of the owner's phone. */
export function verificationRequiredError(
  message = 'Your phone is not verified, or not any more. Ask for a new code.',
): ApiError {
  return new ApiError('verification_required', message);
}

/** Returns the error for a provider token that is not valid or was used before. */
export function tokenInvalidError(): ApiError {
  return new ApiError('token_invalid', 'This sign-in is not valid any more. Ask for a new code.');
}
