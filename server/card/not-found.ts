import { ApiError } from '#server/http/api-error.ts';

export function cardNotFoundError(): ApiError {
  return new ApiError('not_found', 'There is no such card.');
}
