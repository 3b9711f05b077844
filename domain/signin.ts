/** The local-storage keys (specification, section 3; decisions, "Names"). */
export const STORAGE_KEYS = {
  id: '_id',
  sessionToken: 'sessionToken',
  marker: 'signedIn',
} as const;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A session dies this long after it began, however much it is used (hardening, "Access"). */
export const SESSION_ABSOLUTE_LIFE_MS = 365 * DAY_MS;
/** Sliding a session forward more often than this would write on every read. */
export const SESSION_SLIDE_EVERY_MS = 60 * MINUTE_MS;
/** Sessions an owner may have at once; the oldest end (hardening, "Access"). */
export const SESSIONS_PER_USER_MAX = 20;
export const DAY = DAY_MS;

/** Where the owner goes after the user fetch (specification, section 2, "Login page"). */
export function pageAfterSignIn(user: { name: string; phone: string }): string {
  if (user.name.trim() !== '') return '/dashboard/';
  return `/ftue?phone=${encodeURIComponent(user.phone)}`;
}
