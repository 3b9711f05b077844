import * as z from 'zod/mini';

import { isTimeZone } from '#domain/local-time.ts';
import { hasForbiddenCharacter } from '#domain/text.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An environment variable, whose check, value and documentation are derived from this entry. */
export interface Setting<Value = unknown> {
  /** Checks and converts the trimmed text. Its message follows the name of the setting: 'must be …'. */
  readonly schema: z.ZodMiniType<Value>;
  readonly help: string;
  readonly fallback?: string;
  /** Describes the default in Markdown, if `fallback` does not. */
  readonly defaultHelp?: string;
  /** A secret can be in a file, and error messages do not repeat its value. */
  readonly isSecret?: boolean;
  /** The service 'S3_BUCKET' is used if one of its settings is set, 'SMS_GATEWAY=msg91' if it is chosen. */
  readonly service?: readonly string[];
}

export type SettingTable = Readonly<Record<string, Setting>>;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

/** A setting that is not set has its fallback, or '' if it belongs to a service, or null. */
type ValueOf<Entry extends Setting> =
  | z.output<Entry['schema']>
  | (Entry extends { readonly fallback: string }
      ? never
      : Entry extends { readonly service: unknown }
        ? ''
        : null);

/** The value of PUBLIC_URL is called `publicUrl`. */
export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: ValueOf<Table[Name]>;
};

const PORT_MAX = 65_535;
const LINE_LENGTH_MAX = 60;
/** Accepts only characters that a mailto: link contains unescaped. */
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

/** Accepts visible ASCII, which a header can contain without escaping. */
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

/** Accepts what `read` reads without an error. */
export const pem = (read: (value: string) => unknown, content: string) =>
  checked((value) => succeeds(() => read(value)), `must be ${content} in PEM format`);

export const timeZone = () => checked(isTimeZone, 'must be a time zone such as Asia/Kolkata');

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

/** The system chooses a port for 0. */
export const port = () => integer(0, PORT_MAX);

/** Accepts a text that pages can show inside a sentence. */
export const line = (lengthMax = LINE_LENGTH_MAX) =>
  checked(
    (value) => value.length <= lengthMax && !value.includes('\n') && !hasForbiddenCharacter(value),
    `must be one line of at most ${lengthMax} characters`,
  );

export const email = () => pattern(EMAIL, 'must be an e-mail address');

/** Returns an https URL, or a `mailto:` URL for an email address. */
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

/** Returns the origin without its default port and final slash. */
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
    ({ hostname }) => isThisMachine(hostname),
    'must be an origin on this machine such as http://127.0.0.1:8090',
  );

/** An issuer keeps its final slash, because it is compared as a whole. */
export const issuerUrl = () =>
  checked(
    isServiceUrl,
    'must be an https address (http on this machine only) without password and query',
  );

/** Accepts https, and http on this machine. Returns the URL without a final slash. */
export const serviceUrl = () => withoutFinalSlash(issuerUrl());

export const callbackUrl = () =>
  checked(
    (value) => isServiceUrl(value.split('?', 1)[0] ?? '') && VISIBLE_ASCII.test(value),
    'must be an https address (http on this machine only) without a password',
  );

/** Accepts a mail server. A user and a password are percent-encoded, as in every URL. */
export const smtpUrl = () =>
  checked(
    isSmtpUrl,
    'must be an address such as smtps://user:password@mail.example.com; special characters in the password must be percent-encoded',
  ).check(
    // With the port of the other protocol, no connection succeeds, and the first code would time out.
    z.refine(
      (value) => !/^(?:smtp:.*:465|smtps:.*:587)\/?$/.test(value),
      'must begin with smtps for port 465, and with smtp for port 587',
    ),
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
    // Date.parse alone would read 05-12-2030 as 12 May.
    z.union(
      [z.iso.date(), z.iso.datetime({ offset: true, local: true })],
      'must be a date such as 2030-01-31',
    ),
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

function isOrigin(value: string): boolean {
  if (!isWebUrl(value)) return false;
  const { pathname, username, password, search, hash } = new URL(value);
  return pathname === '/' && !(username || password || search || hash);
}

export const isThisMachine = (hostname: string): boolean => THIS_MACHINE.has(hostname);

function isSmtpUrl(value: string): boolean {
  if (!/^smtps?:\/\/./.test(value) || !URL.canParse(value)) return false;
  const { hostname, pathname, username, password, search, hash } = new URL(value);
  if (hostname === '' || pathname.length > 1 || search || hash) return false;
  return (
    (username === '') === (password === '') &&
    succeeds(() => decodeURIComponent(username + password))
  );
}

function isServiceUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  if (username || password || search || hash) return false;
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname));
}
