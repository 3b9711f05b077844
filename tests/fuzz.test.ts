import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';

import type { Endpoint } from '#contract/endpoint.ts';
import { logout } from '#contract/user.ts';

import { anyText } from './support/any-text.ts';
import { signInByApi, useTestApp } from './support/app.ts';
import { ENDPOINTS } from './support/endpoints.ts';
import { readNumber } from './support/environment-number.ts';
import type { JsonSchema } from './support/json-schema.ts';
import { FULL_CARD, createOwner, sendRequest } from './support/owner.ts';
import { print } from './support/print.ts';
import { sendBytes } from './support/raw-client.ts';
import { startServer } from './support/server.ts';

// npm run hardening sends 100,000, with a new seed for each run.
const REQUEST_COUNT = readNumber('HARDENING_FUZZ', 3000);
const CONTROL_COUNT = 20_000;
const SEED = readNumber('HARDENING_SEED', 20_260_115);
const CLIENTS = 8;
const BATCH = 500;
const TIMEOUT_MS = 15_000;
/** The 503 of an owner's second picture at the same time, of which the clients here may send eight. */
const BUSY = /^HTTP\/1\.1 503 [^]*"Another picture of this card is being uploaded/;

const PAGES = (
  '/ /login /ftue/ /dashboard/ /user/:id /user/:id/contact.vcf /user/:id/preview.jpg ' +
  '/photos/:id /icons/:id /assets/:id /privacy_policy /healthz /readyz /metrics ' +
  '/api/openapi.json /:id'
).split(' ');
const HEADERS = (
  'Accept-Encoding If-None-Match Content-Encoding X-Forwarded-For X-Forwarded-Proto ' +
  'X-Forwarded-Host Host Range Expect Accept Cookie'
).split(' ');
/** Follows each request on its connection, and ends it. */
const LAST = Buffer.from('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');

const HOSTILE_WORDS =
  'undefined null NaN true 0 -1 1e1000 9007199254740993 0x0 ' +
  '../../../../etc/passwd%00 ..%2f..%2fetc%2fpasswd %00 % %zz %ff%fe __proto__ ' +
  'constructor toString hasOwnProperty $1 \\ \\\\ `id` {{7*7}} ${7*7} ' +
  '<script>alert(1)</script> javascript:alert(1) https://user:pass@example.com/ ' +
  'http://[::1 https://%zz/ \u0000 a\u0000b \u0001\u0008\u000b\u001f\u007f ' +
  '\u0080\u0085\u009f \r \n\n\n \t \u2066\u2067\u2068\u2069 \u2028\u2029 ' +
  '\u200b\u200c\u200d\ufeff \ud800 \udc00\ud800 Z̸̨̛͖͔̣͎̪̪̰̯̜̳̲͇͋̆ͅa͙͗l̷̡g͏o̵ ' +
  '\u0627\u0644\u0644\u0651\u0647 社會科學院語學研究所 👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇮🇳 １２３４５６７８９０ ९८७६५४३२१० ' +
  'tel:+91 BEGIN:VCARD\r\nTEL:112\r\nEND:VCARD =HYPERLINK("http://x") CON ' +
  'file:///etc/passwd {"$gt":""}';
const HOSTILE_TEXTS =
  "'; DROP TABLE users; --|1' OR '1'='1|\" OR \"\"=\"|$$; SELECT pg_sleep(10); --|$(touch /tmp/x)|" +
  '"><img src=x onerror=alert(1)>|https://ex ample.com|\r\nSet-Cookie: x=1|\u202e\u202dtxet desrever|' +
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>|' +
  'كل لغة ﷺ ﷽|अनन्या राव्|தமிழ் எழுத்து|ﬀ ﬃ ㎏ ① Å Å|+91 98765 43210;ext=1|[object Object]|Bearer null| |';
/** Examples of each kind in the Big List of Naughty Strings, whose npm package runs git when it is installed. */
const HOSTILE_STRINGS = [
  ...HOSTILE_WORDS.split(' '),
  ...HOSTILE_TEXTS.split('|'),
  'x'.repeat(119) + '👩‍💻',
  'x'.repeat(5000),
  '\u0301'.repeat(200),
  `https://example.com/${'a'.repeat(3000)}`,
];

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE_STRINGS),
  anyText(60),
  fc.string({ unit: 'grapheme', maxLength: 130 }),
);

/** The first arbitrary `weight` times as often as each of the others. */
const mostly = <T>(weight: number, arbitrary: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight, arbitrary }, ...others);

/** Values that mostly fit a schema; some have another type, and keys may be missing. */
function arbitraryFor(schema: JsonSchema, text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const odd = fc.jsonValue({ stringUnit: 'binary' });
  const good = (arbitrary: fc.Arbitrary<unknown>) => mostly(9, arbitrary, odd);
  if (schema.properties) {
    const fields = Object.entries(schema.properties);
    const arbitraries = fields.map(([key, one]) => [key, arbitraryFor(one, text)]);
    return good(fc.record(Object.fromEntries(arbitraries), { requiredKeys: [] }));
  }
  if (schema.enum) return good(fc.constantFrom(...schema.enum));
  if (schema.type === 'number' || schema.type === 'integer') return good(fc.double());
  return good(text);
}

function bodiesOf({ body }: Endpoint, text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((numbers) => Buffer.from(numbers));
  if (body === undefined) return fc.oneof(fc.constant(Buffer.alloc(0)), bytes);
  if (body === 'multipart') return fc.oneof(multipart, bytes);
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const whole = arbitraryFor(schema, text).map((value) => Buffer.from(JSON.stringify(value) ?? ''));
  const index = fc.nat(200);
  const truncated = fc.tuple(whole, index).map(([json, end]) => json.subarray(0, end));
  const corrupted = fc
    .tuple(whole, index, fc.nat(255))
    .map(([json, at, byte]) =>
      Buffer.concat([json.subarray(0, at), Buffer.of(byte), json.subarray(at)]),
    );
  const deep = fc.nat(3000).map((depth) => Buffer.from('['.repeat(depth) + ']'.repeat(depth)));
  return mostly(6, whole, truncated, corrupted, bytes, deep);
}

const multipart = fc
  .tuple(hostile, hostile, fc.uint8Array({ maxLength: 500 }), fc.boolean())
  .map(([id, name, picture, isEnded]) => {
    const disposition = 'Content-Disposition: form-data; name=';
    return Buffer.concat([
      Buffer.from(`--edge\r\n${disposition}"_id"\r\n\r\n${id}\r\n--edge\r\n`),
      Buffer.from(`${disposition}"image"; filename="${name}"\r\nContent-Type: image/jpeg\r\n\r\n`),
      picture,
      Buffer.from(isEnded ? '\r\n--edge--\r\n' : '\r\n--ed'),
    ]);
  });

/** Surrogates cannot be encoded. */
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

interface FuzzInput {
  readonly ids: readonly string[];
  readonly tokens: readonly string[];
  readonly count: number;
  /** Sends no more after so many. */
  readonly failuresMax: number;
}

/** Requests that are close to a valid call or page, and random bytes. */
function fuzzRequests({ ids, tokens }: FuzzInput) {
  const phones = ['9876543210', '+91 98765 43210'];
  const valid = ['Asha Rao', ...phones, 'https://x.com/asha', 'tessera', '123456'];
  const text = fc.oneof(hostile, fc.constantFrom(...ids, ...valid));
  const otherMethods = fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH');
  const call = fc.constantFrom(...ENDPOINTS).chain((endpoint) =>
    fc.record({
      method: mostly<string>(8, fc.constant(endpoint.method), otherMethods),
      path: fc.constant(`/api${endpoint.path}`),
      body: bodiesOf(endpoint, text),
      type: fc.constantFrom(
        endpoint.body === 'multipart' ? 'multipart/form-data; boundary=edge' : 'application/json',
        'application/json; charset=utf-8',
        'text/plain',
        'multipart/form-data',
      ),
    }),
  );
  const page = fc.record({
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST'),
    path: fc.constantFrom(...PAGES),
    body: fc.constant(Buffer.alloc(0)),
    type: fc.constant('text/plain'),
  });
  const request = fc
    .tuple(
      mostly<Target>(4, call, page),
      fc.record({
        id: fc.oneof(fc.constantFrom(...ids), hostile.map(encoded), hostile),
        query: fc.oneof(fc.constant(''), fc.webQueryParameters(), hostile),
        authorization: fc.oneof(fc.constantFrom(...tokens), hostile, fc.constant(null)),
        extra: fc.option(fc.tuple(fc.constantFrom(...HEADERS), hostile)),
        address: fc.ipV4(),
      }),
    )
    .map(([target, more]) => asBytes(target, more));
  const garbage = fc.uint8Array({ minLength: 1, maxLength: 200 });
  return mostly(
    30,
    request,
    garbage.map((bytes) => Buffer.concat([bytes, Buffer.from('\r\n\r\n')])),
  );
}

type Target = Record<'method' | 'path' | 'type', string> & { body: Buffer };
type More = Record<'id' | 'query' | 'address', string> & {
  authorization: string | null;
  extra: [string, string] | null;
};

/** Line breaks would start another header line or another request. */
const header = (name: string, text: string) => `${name}: ${text.replace(/[\r\n]/g, '')}`;

function asBytes(target: Target, { id, query, authorization, extra, address }: More) {
  const path = target.path.replace(/:\w+/, () => id).replace(/\s/g, '') || '/';
  const url = path + (query === '' ? '' : `?${query.replace(/\s/g, '+')}`);
  // A logout would end the session that the other requests use.
  const isSignedIn = authorization !== null && !url.startsWith(`/api${logout.path}`);
  const lines = [
    `${target.method} ${url} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: ${address}`,
    `Content-Length: ${target.body.length}`,
    ...(target.body.length > 0 ? [`Content-Type: ${target.type}`] : []),
    ...(isSignedIn ? [header('Authorization', authorization)] : []),
    ...(extra ? [header(...extra)] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), target.body]);
}

/** Sends `count` requests; returns the count of each status, and the requests without a valid response. */
async function sendFuzzRequests(origin: string, input: FuzzInput) {
  const arbitrary = fuzzRequests(input);
  const { count, failuresMax } = input;
  const outcomes: Record<string, number> = {};
  const failures: string[] = [];
  for (let done = 0; done < count && failures.length < failuresMax; done += BATCH) {
    const numRuns = Math.min(BATCH, count - done);
    const batch = fc.sample(arbitrary, { numRuns, seed: SEED + done });
    const send = async () => {
      // Stop when the server hangs repeatedly: more failures add no information.
      while (failures.length < failuresMax) {
        const request = batch.pop();
        if (!request) return;
        const end = performance.now() + TIMEOUT_MS;
        const port = Number(new URL(origin).port);
        const response = await sendBytes(port, Buffer.concat([request, LAST]), TIMEOUT_MS);
        const status = /^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1] ?? 'closed';
        const outcome = performance.now() < end ? status : 'timeout';
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        const start = JSON.stringify(request.toString('latin1').slice(0, 1500));
        const isBusy = BUSY.test(response);
        if (outcome === 'timeout' || (Number(outcome) >= 500 && !isBusy))
          failures.push(`${outcome}: ${start}`);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, send));
  }
  return { outcomes, failures };
}

const { testApp } = useTestApp(undefined, { environment: { TRUST_PROXY: '127.0.0.1' } });

test('fuzzing: random requests get no 5xx and no timeout, and change no other card', async () => {
  const server = await startServer({ TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' });
  onTestFinished(() => server.dispose());
  const untouched = await createOwner(server, '9876543211', FULL_CARD);
  const owner = await createOwner(server, '9876543210');
  const ids = [owner._id, untouched._id];
  const input = { ids, tokens: [owner.sessionToken], count: REQUEST_COUNT, failuresMax: 50 };
  const { outcomes, failures } = await sendFuzzRequests(server.origin, input);
  print(`HARDENING_SEED=${SEED}, ${REQUEST_COUNT} requests: ${JSON.stringify(outcomes)}`);
  expect(failures).toEqual([]);
  expect(await sendRequest(server, `/user/${untouched._id}`)).toMatchObject(FULL_CARD);
  // Control: requests reached every kind of outcome.
  for (const status of [200, 400, 403, 404, 415]) expect(outcomes[status]).toBeGreaterThan(5);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(server.output()).not.toContain('"level":"error"');
});

test('fuzzing: finds a deliberate exception', async () => {
  testApp.app.addHook('preHandler', async (request) => {
    const body = request.body as { contact?: { name?: unknown } } | undefined;
    if (typeof body?.contact?.name === 'string') throw new TypeError('deliberate');
  });
  const { _id, sessionToken } = await signInByApi(testApp);
  const origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  const input = { ids: [_id], tokens: [sessionToken], count: CONTROL_COUNT, failuresMax: 1 };
  const { failures } = await sendFuzzRequests(origin, input);
  expect(failures[0]).toMatch(/^500: .*addContact/);
});
