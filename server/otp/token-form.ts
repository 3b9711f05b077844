import { tokenInvalid } from '#server/http/caller.ts';

/** RFC 6750, section 2.1: what a token may be written in. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
/** Its first part is JSON, so it begins as every `{"` does. */
const JWT = /^eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/**
 * Refuses a token that could be another spelling of one that was used before: a used token is known
 * by its hash, and the last character of a JWT's signature has bits that its readers overlook.
 * Throws ApiError 'token_invalid' (403).
 */
export function refuseOddToken(token: string): void {
  if (!TOKEN.test(token)) throw tokenInvalid();
  if (JWT.test(token) && !token.split('.').every(isCanonical)) throw tokenInvalid();
}

function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}
