import { expect, test } from 'vitest';
import * as z from 'zod/mini';

import { NETWORKS } from '#domain/network.ts';
import { ENDPOINTS } from '#tests/support/endpoints.ts';
import type { JsonSchema } from '#tests/support/json-schema.ts';
import { words } from '#tests/support/words.ts';

import { updateCardAddress } from './card-address.ts';
import type { Endpoint } from './endpoint.ts';

const PHONE = '+919876543210';
const LINK = 'https://asha.example/me';
const ID = '1'.repeat(16);

/** The texts that people paste. Chats, address books and web pages put invisible characters into them. */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  mobile: PHONE,
  phone: PHONE,
  email: 'asha@example.com',
  upi: 'asha@okaxis',
  gstin: '27AAPFU0939F1ZV',
  code: '123456',
  url: LINK,
  ...Object.fromEntries(NETWORKS.map((network) => [network, LINK])),
  Whatsapp: '9876543210',
};

/** The texts that people may type as they like, and those that a page sends itself. */
const FREE_TEXTS = words(
  'name designation companyName bio address label note tags tag base search text',
);
const MACHINE_TEXTS: Readonly<Record<string, unknown>> = {
  userID: ID,
  contact: ID,
  table: '1'.repeat(10),
  person: '1'.repeat(10),
  contacts: ID,
  id: ID,
  receivedAt: '2026-01-31T10:00:00Z',
  clientId: '7c0f3a52-9d1b-4e68-8a30-5b1f2d6c9e47',
  notice: '',
  language: 'hi',
  timeZone: 'Asia/Kolkata',
  day: '2026-01-31',
  after: ID,
  replaces: 'a'.repeat(43),
  p256dh: 'a'.repeat(87),
  auth: 'a'.repeat(22),
};
const TOKENS = words(
  'token newToken ticket appId challenge endpoint website subject passkey ' +
    'id rawId clientDataJSON authenticatorData signature userHandle attestationObject',
);

const INVISIBLE = Array.from(
  '\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2066\u2069\u2800\u3164\ufe0f\ufeff\u{e0061}',
);

const INDIC = 'क्\u200dष';

type Write = (key: string) => unknown;

function write(schema: JsonSchema, writeText: Write, key = ''): unknown {
  if (schema.properties) {
    const entries = Object.entries(schema.properties);
    return Object.fromEntries(entries.map(([name, one]) => [name, write(one, writeText, name)]));
  }
  // Two numbers that exclude each other are null by default.
  if (schema.default === null) return null;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return write(schema.anyOf[0], writeText, key);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => write(one, writeText)));
  if (schema.items) return [write(schema.items, writeText, key)];
  if (schema.type === 'boolean') return true;
  return schema.type === 'string' ? writeText(key) : 0;
}

const CALLS = ENDPOINTS.flatMap((endpoint: Endpoint) => {
  const { body } = endpoint;
  if (body === undefined || body === 'multipart') return [];
  const schema = z.toJSONSchema(body, { io: 'input' }) as JsonSchema;
  const isAddress = endpoint === updateCardAddress;
  const identifiers = isAddress ? { name: 'asha-rao' } : IDENTIFIERS;
  const parse = (mark: (text: string) => string) => {
    const keys = new Set<string>();
    let freeCount = 0;
    const text: Write = (key) => {
      const value = identifiers[key];
      if (value !== undefined) return (keys.add(key), mark(value));
      if (FREE_TEXTS.includes(key)) return ((freeCount += 1), INDIC);
      return key in MACHINE_TEXTS ? MACHINE_TEXTS[key] : key;
    };
    const parsed = body.safeParse(write(schema, text));
    return { parsed, keys: [...keys], freeCount };
  };
  return [{ path: endpoint.path, schema, parse }];
});

test('calls: an identifier loses every invisible character, and a text keeps its joiners', () => {
  const found = new Set<string>();
  for (const { path, parse } of CALLS) {
    const { parsed, keys, freeCount } = parse(String);
    expect([path, parsed.error]).toEqual([path, undefined]);
    const kept = JSON.stringify(parsed.data).split(INDIC).length - 1;
    expect([path, kept]).toEqual([path, freeCount]);
    for (const key of keys) found.add(key);
    const right = [path, parsed.data];
    for (const mark of INVISIBLE) {
      const marked = (text: string) => `${mark}${text.slice(0, 3)}${mark}${text.slice(3)}${mark}`;
      expect([path, parse(marked).parsed.data]).toEqual(right);
    }
  }
  expect([...found].toSorted()).toEqual([...Object.keys(IDENTIFIERS), 'name'].toSorted());
});

test('calls: each text is an identifier, a free text or what a page sends itself', () => {
  const machine = [...Object.keys(MACHINE_TEXTS), ...TOKENS];
  const known = new Set([...Object.keys(IDENTIFIERS), ...FREE_TEXTS, ...machine]);
  const keys = new Set<string>();
  const note: Write = (key) => (keys.add(key), '');
  for (const { schema } of CALLS) write(schema, note);
  expect([...keys].filter((key) => !known.has(key))).toEqual([]);
});
