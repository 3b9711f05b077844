import { randomInt } from 'node:crypto';

import { CONTACT_ID_RADIX, contactTimeDigits } from '#domain/contact.ts';

const ORDER_DIGITS = 3;
const ORDER_MAX = CONTACT_ID_RADIX ** ORDER_DIGITS - 1;
const RANDOM_DIGITS = 9;
/** Fits nine base-36 digits. */
const RANDOM_LIMIT = 2 ** 46;

/** Ids sort by time, differ between nodes, and only grow, even if the clock is set back. */
export function createContactIdGenerator(): (now: number) => string {
  let time = 0;
  let order = 0;
  return (now) => {
    if (now > time) {
      time = now;
      order = 0;
    } else if (order === ORDER_MAX) {
      time += 1;
      order = 0;
    } else {
      order += 1;
    }
    return [
      contactTimeDigits(time),
      digits(order, ORDER_DIGITS),
      digits(randomInt(RANDOM_LIMIT), RANDOM_DIGITS),
    ].join('');
  };
}

function digits(value: number, length: number): string {
  return value.toString(CONTACT_ID_RADIX).padStart(length, '0');
}
