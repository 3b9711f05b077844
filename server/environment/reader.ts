import { isIP } from 'node:net';

import { isSupportedCountry } from 'libphonenumber-js/max';

import { outsideReaders } from './service.ts';
import { textReaders } from './text.ts';
import { StartError } from '#server/start-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_LENGTH_MIN = 32;

/**
 * Readers of single variables. Each takes the variable's name and what stands for it when it is
 * not set or blank; each throws StartError with a sentence that names a variable that will not do.
 */
export function environmentReader(environment: Environment) {
  const given = (name: string) => environment[name]?.trim() || null;
  const list = (name: string): readonly string[] =>
    (given(name) ?? '').split(',').flatMap((part) => part.trim() || []);
  const refuse = (name: string, what: string): never => {
    throw new StartError(`${name} ${what}; it is "${environment[name] ?? ''}".`);
  };

  return {
    ...secretReaders(given),
    ...listReaders(list, { given, refuse }),
    ...outsideReaders({ given, refuse }),
    ...textReaders({ given, refuse }),
    list,

    integer(name: string, fallback: number, range: { min: number; max: number }): number {
      const text = given(name);
      if (text === null) return fallback;
      const value = Number(text);
      const fits = /^\d+$/.test(text) && value >= range.min && value <= range.max;
      return fits
        ? value
        : refuse(name, `must be a whole number from ${range.min} to ${range.max}`);
    },

    url(name: string, fallback: string): string {
      const text = given(name);
      if (text === null) return fallback;
      const isPath = text.startsWith('/') && !text.startsWith('//');
      return isPath || isWebAddress(text)
        ? text
        : refuse(name, 'must be an http or https address or a path');
    },

    origin(name: string): string {
      const text = given(name);
      if (text === null) return '';
      return isWebAddress(text) && isOrigin(new URL(text))
        ? new URL(text).origin
        : refuse(name, 'must be like https://cards.example.com');
    },

    choice<Choice extends string>(
      name: string,
      choices: readonly Choice[],
      fallback: Choice | null,
    ): Choice {
      const text = given(name) ?? fallback;
      const found = choices.find((one) => one === text);
      return found ?? refuse(name, `must be one of ${choices.join(', ')}`);
    },
  };
}

export interface Means {
  /** The variable without spaces around; null where it is not set or blank. */
  readonly given: (name: string) => string | null;
  readonly refuse: (name: string, what: string) => never;
}

function listReaders(list: (name: string) => readonly string[], { given, refuse }: Means) {
  return {
    proxies(name: string): readonly string[] {
      const found = list(name);
      return found.every(isProxy)
        ? found
        : refuse(name, 'must be addresses or networks such as 10.0.0.0/8,loopback');
    },

    countries(name: string, fallback: readonly string[]): readonly string[] {
      const found = list(name);
      if (found.length === 0) return fallback;
      return found.every((one) => isSupportedCountry(one))
        ? found
        : refuse(name, 'must be two-letter country codes such as IN,AE');
    },

    testNumbers(name: string, untilName: string) {
      const codes = new Map<string, string>();
      for (const pair of list(name)) {
        const [, phone, code] = /^(\+\d{8,15}):(\d{6})$/.exec(pair) ?? [];
        if (!phone || !code) return refuse(name, 'must be like +919999900001:123456,…');
        codes.set(phone, code);
      }
      const until = codes.size === 0 ? 0 : Date.parse(given(untilName) ?? '');
      return Number.isNaN(until)
        ? refuse(untilName, `must be a date such as 2030-01-31, because ${name} is set`)
        : { codes, until };
    },
  };
}

/** Readers of what must not be repeated in a message. */
function secretReaders(given: (name: string) => string | null) {
  return {
    databaseUrl(name: string): string {
      const text = given(name);
      if (text === null || /^postgres(ql)?:\/\/./.test(text)) return text ?? '';
      throw new StartError(`${name} must be an address that starts with postgres://.`);
    },

    secret(name: string): string {
      const text = given(name);
      if (text === null || text.length >= SECRET_LENGTH_MIN) return text ?? '';
      throw new StartError(`${name} must have at least ${SECRET_LENGTH_MIN} characters.`);
    },
  };
}

const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);
const PREFIX_BITS_MAX = { 4: 32, 6: 128 } as const;

function isProxy(text: string): boolean {
  if (NAMED_NETWORKS.has(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (rest.length > 0 || (family !== 4 && family !== 6)) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= PREFIX_BITS_MAX[family]);
}

function isOrigin({ pathname, username, password, search, hash }: URL): boolean {
  return pathname === '/' && !(username || password || search || hash);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
