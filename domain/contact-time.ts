/** A contact's id starts with the time of its arrival: milliseconds as nine digits in base 36. */
export const CONTACT_ID_RADIX = 36;
/** Enough until the year 5188. */
export const CONTACT_TIME_DIGITS = 9;

/** Returns the time of a contact's arrival in milliseconds since 1970; null if its id contains none. */
export function contactTimeMs(id: string): number | null {
  const digits = id.slice(0, CONTACT_TIME_DIGITS);
  if (!/^[0-9a-z]{9}$/.test(digits)) return null;
  return parseInt(digits, CONTACT_ID_RADIX);
}

/** Returns the start of the ids of contacts that arrive at a time (milliseconds since 1970). */
export function contactTimeDigits(time: number): string {
  return Math.max(0, time).toString(CONTACT_ID_RADIX).padStart(CONTACT_TIME_DIGITS, '0');
}
