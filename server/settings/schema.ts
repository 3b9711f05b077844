import * as z from 'zod/mini';

import { hasForbiddenCharacter } from '#domain/text.ts';

const PORT_MAX = 65_535;
const LINE_LENGTH_MAX = 60;
/** Characters that a mailto: link contains unescaped. */
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)*$/;
const DATABASE_PROTOCOL = /^postgres(?:ql)?:\/\/./;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);
const BUCKET_ENDPOINT = /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:\/[\w./-]*)?$/i;

export const text = () => z.string();

export const checked = (isValid: (value: string) => boolean, message: string) =>
  z.string().check(z.refine(isValid, message));

export const pattern = (regexp: RegExp, message: string) =>
  checked((value) => regexp.test(value), message);

/** Visible ASCII can be sent in a header without escaping. */
export const serviceKey = (lengthMin = 1) =>
  pattern(
    new RegExp(`^[\\x21-\\x7e]{${lengthMin},1024}$`),
    lengthMin === 1
      ? 'must be visible ASCII characters without spaces'
      : `must be at least ${lengthMin} visible ASCII characters without spaces`,
  );

export const key = (service: readonly string[], help: string) => ({
  schema: serviceKey(),
  service,
  help,
});
export const secretKey = (service: readonly string[], help: string) => ({
  ...key(service, help),
  isSecret: true,
});

/** `read` throws for what is not valid. */
export const pem = (read: (value: string) => unknown, content: string) =>
  checked((value) => succeeds(() => read(value)), `must be ${content} in PEM format`);

export const timeZone = () =>
  checked(
    (value) => succeeds(() => new Intl.DateTimeFormat('en', { timeZone: value })),
    'must be a time zone such as Asia/Kolkata',
  );

export const choice = <const Choice extends string>(choices: readonly Choice[]) =>
  z.enum(choices, `must be one of ${choices.join(', ')}`);

export const integer = (min: number, max: number) =>
  z.pipe(
    checked(
      (value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max,
      `must be a whole number from ${min} to ${max}`,
    ),
    z.transform(Number),
  );

/** 0 lets the system choose one. */
export const port = () => integer(0, PORT_MAX);

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

export const url = () =>
  checked(
    (value) => (value.startsWith('/') && !value.startsWith('//')) || isWebUrl(value),
    'must be an http or https address or a path',
  );

const withoutFinalSlash = (schema: ReturnType<typeof checked>) =>
  z.pipe(
    schema,
    z.transform((value: string) => value.replace(/\/+$/, '')),
  );

export const baseUrl = () => withoutFinalSlash(url());

/** The default port and the final slash of an origin are removed. */
export const origin = (
  isValid: (origin: URL) => boolean = () => true,
  message = 'must be like https://cards.example.com',
) =>
  z.pipe(
    checked((value) => isOrigin(value) && isValid(new URL(value)), message),
    z.transform((value) => new URL(value).origin),
  );

export const localOrigin = () =>
  origin(
    ({ hostname }) => THIS_MACHINE.has(hostname),
    'must be an origin on this machine such as http://127.0.0.1:8090',
  );

/** https, or http on this machine. The final slash is removed. */
export const serviceUrl = () =>
  withoutFinalSlash(
    checked(
      isServiceUrl,
      'must be an https address (http on this machine only) without password and query',
    ),
  );

export const callbackUrl = () =>
  checked(
    (value) => isServiceUrl(value.split('?', 1)[0] ?? '') && VISIBLE_ASCII.test(value),
    'must be an https address (http on this machine only) without a password',
  );

export const bucketEndpoint = () =>
  withoutFinalSlash(
    checked(
      (value) => BUCKET_ENDPOINT.test(value) && URL.canParse(value),
      'must be an http or https address without password and query',
    ),
  );

export const databaseUrl = () =>
  checked(
    // The driver accepts an empty host, for a socket in `?host=`.
    (value) => DATABASE_PROTOCOL.test(value) && URL.canParse(value.replace('@/', '@localhost/')),
    'must be an address such as postgres://user:password@host:5432/name; special characters in the password must be percent-encoded',
  );

export const date = () =>
  z.pipe(
    checked((value) => !Number.isNaN(Date.parse(value)), 'must be a date such as 2030-01-31'),
    z.transform((value) => Date.parse(value)),
  );

export function succeeds(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
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
