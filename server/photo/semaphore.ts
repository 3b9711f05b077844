import { ApiError } from '#server/http/api-error.ts';

/** Pictures held in memory at once: 24 of 10 MB. */
const UPLOADS_AT_ONCE_MAX = 24;
/** One owner's slow uploads must not keep everybody else's out. */
const UPLOADS_OF_ONE_AT_ONCE_MAX = 2;
const RETRY_AFTER_SECONDS = 5;

/** Bounds how many uploads are under way, in all and for one owner; beyond that 503 and 429. */
export function createUploadSemaphore() {
  const countOf = new Map<string, number>();
  let total = 0;

  function enter(userId: string): void {
    const mine = countOf.get(userId) ?? 0;
    if (mine >= UPLOADS_OF_ONE_AT_ONCE_MAX) throw busy('too_many_requests');
    if (total >= UPLOADS_AT_ONCE_MAX) throw busy('unavailable');
    countOf.set(userId, mine + 1);
    total += 1;
  }

  function leave(userId: string): void {
    const mine = (countOf.get(userId) ?? 1) - 1;
    if (mine === 0) countOf.delete(userId);
    else countOf.set(userId, mine);
    total -= 1;
  }

  return {
    run: async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
      enter(userId);
      try {
        return await work();
      } finally {
        leave(userId);
      }
    },
  };
}

function busy(code: 'too_many_requests' | 'unavailable'): ApiError {
  return new ApiError(code, 'Other photos are still being read. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
