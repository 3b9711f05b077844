import { isIP } from 'node:net';

import { isSupportedCountry } from 'libphonenumber-js/max';
import * as z from 'zod/mini';

import { checked, isOrigin } from './schema.ts';

const WILDCARD_ORIGIN = /^https?:\/\/(?:\*\.)?[\w.-]+(?::\d{1,5})?$/;
const TEST_NUMBER = /^\+\d{8,15}:\d{6}$/;
const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);
const PREFIX_BITS_MAX = { 4: 32, 6: 128 } as const;

export const proxies = () =>
  list(isProxy, 'must be addresses or networks such as 10.0.0.0/8,loopback');

export const origins = () =>
  z.pipe(
    list(isOrigin, 'must be origins such as https://cards.example.com'),
    z.transform((items) => items.map((item) => new URL(item).origin)),
  );

/** The first label of a host may be `*`. */
export const wildcardOrigins = () =>
  list((item) => WILDCARD_ORIGIN.test(item), 'must be origins such as https://*.example.com');

/** An empty list becomes `defaults`. */
export const countries = (defaults: readonly string[]) =>
  z.pipe(
    list((item) => isSupportedCountry(item), 'must be two-letter country codes such as IN,AE'),
    z.transform((codes) => (codes.length === 0 ? defaults : codes)),
  );

/** '' means none. */
export const choices = <const Choice extends string>(names: readonly Choice[]) =>
  z.pipe(
    checked(
      (value) => {
        const items = splitAtCommas(value);
        const known: readonly string[] = names;
        return new Set(items).size === items.length && items.every((item) => known.includes(item));
      },
      `must be some of ${names.join(', ')}, each once, separated by commas`,
    ),
    z.transform((value): ReadonlySet<Choice> => new Set(splitAtCommas(value) as Choice[])),
  );

/** Codes by phone. */
export const testNumbers = () =>
  z.pipe(
    list((item) => TEST_NUMBER.test(item), 'must be like +919999900001:123456,…'),
    z.transform((items) => new Map(items.map((item) => item.split(':') as [string, string]))),
  );

/** Separated by commas or spaces. Empty items are skipped. */
function list(isValid: (item: string) => boolean, message: string) {
  return z.pipe(
    checked((value) => splitList(value).every(isValid), message),
    z.transform((value): readonly string[] => splitList(value)),
  );
}

const splitList = (value: string) => value.split(/[\s,]+/).filter((item) => item !== '');

function isProxy(value: string): boolean {
  if (NAMED_NETWORKS.has(value)) return true;
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  if (rest.length > 0 || (family !== 4 && family !== 6)) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= PREFIX_BITS_MAX[family]);
}

const splitAtCommas = (value: string) =>
  value === '' ? [] : value.split(',').map((item) => item.trim());
