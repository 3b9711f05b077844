import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a code was sent for. */
export interface Challenge {
  readonly id: string;
  /** E.164. */
  readonly phone: string;
}

/**
 * What the database holds of a code: HMAC-SHA256 under the service's secret, in hexadecimal. A bare
 * hash of one in a million codes would protect nothing. Bound to the challenge and the phone, so
 * that an answer to one is no answer to another.
 */
export function codeHmac(secret: string, { id, phone }: Challenge, code: string): string {
  return createHmac('sha256', secret).update(`${id}\n${phone}\n${code}`).digest('hex');
}

/** Whether a code is the sealed one; takes the same time whichever it is. */
export function isSameHmac(seal: string, expected: string): boolean {
  const [left, right] = [Buffer.from(seal, 'hex'), Buffer.from(expected, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}
