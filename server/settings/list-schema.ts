import proxyAddress from '@fastify/proxy-addr';
import { isSupportedCountry } from 'libphonenumber-js/max';
import * as z from 'zod/mini';

import { checked, isOrigin, succeeds } from './schema.ts';

const WILDCARD_ORIGIN = /^https?:\/\/(?:\*\.)?[\w.-]+(?::\d{1,5})?$/;
const TEST_NUMBER = /^\+\d{8,15}:\d{6}$/;

/** A list is separated by commas or spaces. */
const list = (isValid: (items: string[]) => boolean, message: string) =>
  z.pipe(
    checked((value) => isValid(splitList(value)), message),
    z.transform((value): readonly string[] => splitList(value)),
  );

const splitList = (value: string) => value.split(/[\s,]+/).filter((item) => item !== '');

export const proxies = () =>
  list(
    (items) => succeeds(() => proxyAddress.compile(items)),
    'must be addresses or networks such as 10.0.0.0/8,loopback',
  );

export const origins = () =>
  z.pipe(
    list((items) => items.every(isOrigin), 'must be origins such as https://cards.example.com'),
    z.transform((items): readonly string[] => items.map((item) => new URL(item).origin)),
  );

/** The first label of a host may be `*`. */
export const wildcardOrigins = () =>
  list(
    (items) => items.every((item) => WILDCARD_ORIGIN.test(item)),
    'must be origins such as https://*.example.com',
  );

/** An empty list becomes `defaults`. */
export const countries = (defaults: readonly string[]) =>
  z.pipe(
    list(
      (items) => items.every((item) => isSupportedCountry(item)),
      'must be two-letter country codes such as IN,AE',
    ),
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
    list(
      (items) => items.every((item) => TEST_NUMBER.test(item)),
      'must be like +919999900001:123456,…',
    ),
    z.transform((items): ReadonlyMap<string, string> => {
      return new Map(items.map((item) => [item.split(':')[0] ?? '', item.split(':')[1] ?? '']));
    }),
  );
