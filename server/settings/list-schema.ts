import { isIP, isIPv4 } from 'node:net';

import proxyAddress from '@fastify/proxy-addr';
import { isSupportedCountry } from 'libphonenumber-js/max';
import * as z from 'zod/mini';

import { checked, origin, pattern, succeeds } from './schema.ts';

const WILDCARD_ORIGIN = /^https?:\/\/(?:\*\.)?[\w.-]+(?::\d{1,5})?$/;
const TEST_NUMBER = /^\+\d{8,15}:\d{6}$/;

/** Splits a list at commas and spaces. */
const list = (item: z.ZodMiniType<string, string>) =>
  z.pipe(
    z.transform((value: string) => value.split(/[\s,]+/).filter((one) => one !== '')),
    z.array(item),
  );

const NETWORKS_INVALID =
  'must be IP addresses, networks such as 10.0.0.0/8 (but not /0, which is everybody), or loopback';

export const proxies = () =>
  list(checked(isNetwork, NETWORKS_INVALID)).check(
    z.refine((items) => succeeds(() => proxyAddress.compile(items)), NETWORKS_INVALID),
  );

/** Rejects numbers and short forms, because the parser would read 1 as the IPv4 address 0.0.0.1. */
function isNetwork(item: string): boolean {
  const [address = '', size = '0'] = item.split('/');
  return /^[a-z]+$/.test(item) || (isIP(address) !== 0 && (/^\d+$/.test(size) || isIPv4(size)));
}

export const origins = () =>
  list(origin(undefined, 'must be origins such as https://cards.example.com'));

/** Accepts `*` as the first label of a host. */
export const wildcardOrigins = () =>
  list(pattern(WILDCARD_ORIGIN, 'must be origins such as https://*.example.com'));

/** Returns `defaults` for an empty list. */
export const countries = (defaults: readonly string[]) =>
  z.pipe(
    list(checked(isSupportedCountry, 'must be two-letter country codes such as IN,AE')),
    z.transform((codes) => (codes.length === 0 ? defaults : codes)),
  );

export const choices = <const Choice extends string>(names: readonly Choice[], message: string) =>
  z.pipe(
    z.transform((value: string) =>
      value === '' ? [] : value.split(',').map((item) => item.trim()),
    ),
    z.array(z.enum(names, message)),
  );

export const isUnique = (items: readonly string[]) => new Set(items).size === items.length;

export function uniqueChoices<const Choice extends string>(names: readonly Choice[]) {
  const message = `must be all, or some of ${names.join(', ')}, each once, separated by commas`;
  return z.pipe(
    z.transform((value: string) => (value.trim() === 'all' ? names.join(',') : value)),
    choices(names, message).check(z.refine(isUnique, message)),
  );
}

export const testNumbers = () =>
  z.pipe(
    list(pattern(TEST_NUMBER, 'must be like +919999900001:123456,…')),
    z.transform((items): ReadonlyMap<string, string> => {
      return new Map(items.map((item) => [item.split(':')[0] ?? '', item.split(':')[1] ?? '']));
    }),
  );
