import { randomInt } from 'node:crypto';

const RADIX = 36;
// Nine base-36 digits of milliseconds last until the year 5188.
const TIME_DIGITS = 9;
const ORDER_DIGITS = 3;
const ORDER_MAX = RADIX ** ORDER_DIGITS - 1;
const RANDOM_DIGITS = 9;
// The power of two below 36 to the ninth: nine digits hold it, and so does crypto.randomInt.
const RANDOM_LIMIT = 2 ** 46;

/**
 * Makes ids that sort by the time they were made: milliseconds, the order within the millisecond,
 * and a random part that keeps two nodes apart. Within one maker every id is greater than the one
 * before, also while the clock stands still or is set back.
 */
export function contactIdMaker(): (now: number) => string {
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
      digits(time, TIME_DIGITS),
      digits(order, ORDER_DIGITS),
      digits(randomInt(RANDOM_LIMIT), RANDOM_DIGITS),
    ].join('');
  };
}

function digits(value: number, length: number): string {
  return value.toString(RADIX).padStart(length, '0');
}
