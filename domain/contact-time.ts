/** A contact's id starts with the milliseconds since 1970 of its arrival. */
export const CONTACT_ID_RADIX = 36;
/** Enough until the year 5188. */
export const CONTACT_TIME_DIGITS = 9;

/** Null if the id contains no time. */
export function contactTimeMs(id: string): number | null {
  const digits = id.slice(0, CONTACT_TIME_DIGITS);
  if (!/^[0-9a-z]{9}$/.test(digits)) return null;
  return parseInt(digits, CONTACT_ID_RADIX);
}

export function contactTimeDigits(time: number): string {
  return Math.max(0, time).toString(CONTACT_ID_RADIX).padStart(CONTACT_TIME_DIGITS, '0');
}
