import * as z from 'zod/mini';

import { hasForbiddenCharacter } from '#domain/text.ts';

const PORT_MAX = 65_535;
const SECRET_LENGTH_MIN = 32;
const LINE_LENGTH_MAX = 60;
/** Characters that a mailto: link contains unescaped. */
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*$/;
const DATABASE_PROTOCOL = /^postgres(?:ql)?:\/\/./;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

export const text = () => z.string();

export const pattern = (regexp: RegExp, message: string) =>
  z.string().check(z.regex(regexp, message));

/** An IANA name. */
export const timeZone = () => checked(isTimeZone, 'must be a time zone such as Asia/Kolkata');

function isTimeZone(value: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** It can be sent in a header without escaping. */
export const serviceKey = () =>
  pattern(/^[\x21-\x7e]{1,1024}$/, 'must be visible ASCII characters without spaces');

export const secret = () =>
  z
    .string()
    .check(
      z.minLength(
        SECRET_LENGTH_MIN,
        `must have at least ${SECRET_LENGTH_MIN} characters; this makes one: openssl rand -hex 32`,
      ),
    );

export const choice = <const Choice extends string>(choices: readonly Choice[]) =>
  z.enum(choices, `must be one of ${choices.join(', ')}`);

export function integer({ min, max }: { min: number; max: number }) {
  const isValid = (value: string) =>
    /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
  return z.pipe(
    checked(isValid, `must be a whole number from ${min} to ${max}`),
    z.transform(Number),
  );
}

/** 0 lets the system choose one. */
export const port = () => integer({ min: 0, max: PORT_MAX });

/** Pages show it inside a sentence. */
export const line = (lengthMax = LINE_LENGTH_MAX) =>
  checked(
    (value) => value.length <= lengthMax && !value.includes('\n') && !hasForbiddenCharacter(value),
    `must be one line of at most ${lengthMax} characters`,
  );

export const email = () => pattern(EMAIL, 'must be an e-mail address');

/** Returns a URL: https, or `mailto:` for an e-mail address. */
export const contact = () =>
  z.pipe(
    checked(
      (value) => EMAIL.test(value) || (isWebUrl(value) && value.startsWith('https:')),
      'must be an e-mail address or an https address',
    ),
    z.transform((value) => (EMAIL.test(value) ? `mailto:${value}` : value)),
  );

/** An http(s) URL or an absolute path. */
export const url = () =>
  checked(
    (value) => (value.startsWith('/') && !value.startsWith('//')) || isWebUrl(value),
    'must be an http or https address or a path',
  );

export const withoutFinalSlash = () => z.transform((value: string) => value.replace(/\/+$/, ''));

export const baseUrl = () => z.pipe(url(), withoutFinalSlash());

/** Its default port and final slash are removed. */
export const origin = () =>
  z.pipe(
    checked(isOrigin, 'must be like https://cards.example.com'),
    z.transform((value) => new URL(value).origin),
  );

export const localOrigin = () =>
  z.pipe(
    checked(
      (value) => isOrigin(value) && THIS_MACHINE.has(new URL(value).hostname),
      'must be an origin on this machine such as http://127.0.0.1:8090',
    ),
    z.transform((value) => new URL(value).origin),
  );

/** https, or http on this machine. The final slash is removed. */
export const serviceUrl = () =>
  z.pipe(
    checked(
      isServiceUrl,
      'must be an https address (http on this machine only) without password and query',
    ),
    withoutFinalSlash(),
  );

/** As `serviceUrl`, with or without a query. */
export const callbackUrl = () =>
  checked(
    (value) => isServiceUrl(value.split('?', 1)[0] ?? '') && VISIBLE_ASCII.test(value),
    'must be an https address (http on this machine only) without a password',
  );

export const databaseUrl = () =>
  checked(
    // The driver accepts an empty host, for a socket in `?host=`.
    (value) => DATABASE_PROTOCOL.test(value) && URL.canParse(value.replace('@/', '@localhost/')),
    'must be an address such as postgres://user:password@host:5432/name; special characters in the password must be percent-encoded',
  );

/** With or without a time; in milliseconds since 1970. */
export const date = () =>
  z.pipe(
    checked((value) => !Number.isNaN(Date.parse(value)), 'must be a date such as 2030-01-31'),
    z.transform((value) => Date.parse(value)),
  );

export function checked(isValid: (value: string) => boolean, message: string) {
  return z.string().check(z.refine(isValid, message));
}

function isWebUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

export function isOrigin(value: string): boolean {
  if (!isWebUrl(value)) return false;
  const { pathname, username, password, search, hash } = new URL(value);
  return pathname === '/' && !(username || password || search || hash);
}

function isServiceUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  if (username || password || search || hash) return false;
  return protocol === 'https:' || (protocol === 'http:' && THIS_MACHINE.has(hostname));
}
