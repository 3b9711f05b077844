import { hash, randomBytes, randomInt } from 'node:crypto';

const TOKEN_BYTES = 32;
const CODE_DIGITS = 6;

/** Returns a new secret token: 256 random bits in base64url (43 characters). */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Returns a new one-time code: 6 decimal digits, evenly distributed. */
export function newCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/** Returns the form in which a token is stored: its SHA-256 in hexadecimal. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
