import * as z from 'zod/mini';

export const API_ERRORS = {
  invalid_input: 400,
  user_unknown: 400,
  not_a_picture: 400,
  session_invalid: 403,
  token_invalid: 403,
  code_invalid: 403,
  verification_required: 403,
  passkey_rejected: 403,
  account_dormant: 403,
  not_invited: 403,
  not_vouched: 403,
  field_locked: 403,
  phone_refused: 400,
  phone_taken: 409,
  address_taken: 409,
  table_closed: 409,
  not_found: 404,
  too_slow: 408,
  card_blocked: 410,
  table_ended: 410,
  precondition_failed: 412,
  too_large: 413,
  media_type_unsupported: 415,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  misconfigured: 503,
  unavailable: 503,
} as const;

export type ApiErrorCode = keyof typeof API_ERRORS;

export const apiErrorSchema = z.object({
  /** A server of the next version may send a code that this page does not know. */
  error: z.string(),
  message: z.string(),
});

export type ApiErrorBody = z.infer<typeof apiErrorSchema>;
