import * as fc from 'fast-check';
import * as z from 'zod/mini';

import type { Endpoint } from '#contract/endpoint.ts';
import { logout } from '#contract/user.ts';

import { anyText } from './any-text.ts';
import { ENDPOINTS } from './endpoints.ts';
import { HOSTILE_STRINGS } from './hostile-strings.ts';
import type { JsonSchema } from './json-schema.ts';
import { sendBytes } from './raw-client.ts';

const PAGES = (
  '/ /login /ftue/ /dashboard/ /user/:id /user/:id/contact.vcf /user/:id/preview.jpg ' +
  '/photos/:id /icons/:id /assets/:id /privacy_policy /healthz /readyz /metrics ' +
  '/api/openapi.json /:id'
).split(' ');
const LOGOUT = `/api${logout.path}`;

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE_STRINGS),
  anyText(60),
  fc.string({ unit: 'grapheme', maxLength: 130 }),
);

/** The first arbitrary `weight` times as often as each of the others. */
const mostly = <T>(weight: number, arbitrary: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight, arbitrary }, ...others.map((one) => ({ weight: 1, arbitrary: one })));

/** Values that mostly fit a schema; some have another type, and keys may be missing. */
function arbitraryFor(schema: JsonSchema, text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const odd = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<unknown>;
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
  const values = arbitraryFor(schema, text);
  const whole = values.map((value) => Buffer.from(JSON.stringify(value) ?? ''));
  const truncated = fc.tuple(whole, fc.nat(200)).map(([json, index]) => json.subarray(0, index));
  const corrupted = fc
    .tuple(whole, fc.nat(200), fc.nat(255))
    .map(([json, index, byte]) =>
      Buffer.concat([json.subarray(0, index), Buffer.from([byte]), json.subarray(index)]),
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
      Buffer.from(picture),
      Buffer.from(isEnded ? '\r\n--edge--\r\n' : '\r\n--ed'),
    ]);
  });

/** Surrogates cannot be encoded. */
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

interface FuzzInput {
  readonly ids: readonly string[];
  readonly tokens: readonly string[];
}

/** Requests that are close to a valid call or page, and random bytes. */
function fuzzRequests({ ids, tokens }: FuzzInput) {
  const id = fc.oneof(fc.constantFrom(...ids), hostile.map(encoded), hostile);
  const phones = ['9876543210', '+91 98765 43210'];
  const valid = ['Asha Rao', ...phones, 'https://x.com/asha', 'tessera', '123456'];
  const text = fc.oneof(hostile, fc.constantFrom(...ids, ...valid));
  const authorization = fc.oneof(fc.constantFrom(...tokens), hostile, fc.constant(null));
  const call = fc.constantFrom(...ENDPOINTS).chain((endpoint) =>
    fc.record({
      method: mostly<string>(
        8,
        fc.constant(endpoint.method),
        fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
      ),
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
    .record({
      target: mostly<Request['target']>(4, call, page),
      id,
      query: fc.oneof(fc.constant(''), fc.webQueryParameters(), hostile),
      authorization,
      extra: fc.option(fc.tuple(fc.constantFrom(...HEADERS), hostile)),
      address: fc.ipV4(),
    })
    .map(asBytes);
  const garbage = fc
    .uint8Array({ minLength: 1, maxLength: 200 })
    .map((bytes) => Buffer.concat([Buffer.from(bytes), Buffer.from('\r\n\r\n')]));
  return mostly(30, request, garbage);
}

const HEADERS = (
  'Accept-Encoding If-None-Match Content-Encoding X-Forwarded-For X-Forwarded-Proto ' +
  'X-Forwarded-Host Host Range Expect Accept Cookie'
).split(' ');

/** Removes what would start another header line or another request. */
const withoutLineBreaks = (text: string) => text.replace(/[\r\n]/g, '');

interface Request {
  readonly target: { method: string; path: string; body: Buffer; type: string };
  readonly id: string;
  readonly query: string;
  readonly authorization: string | null;
  readonly extra: readonly [string, string] | null;
  readonly address: string;
}

function asBytes({ target, id, query, authorization, extra, address }: Request) {
  const path = target.path.replace(/:\w+/, () => id).replace(/[\s]/g, '') || '/';
  const url = path + (query === '' ? '' : `?${query.replace(/\s/g, '+')}`);
  const lines = [
    `${target.method} ${url} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: ${address}`,
    `Content-Length: ${target.body.length}`,
    ...(target.body.length > 0 ? [`Content-Type: ${target.type}`] : []),
    // A logout would end the session that the other requests use.
    ...(authorization === null || url.startsWith(LOGOUT)
      ? []
      : [`Authorization: ${withoutLineBreaks(authorization)}`]),
    ...(extra === null ? [] : [`${extra[0]}: ${withoutLineBreaks(extra[1])}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), target.body]);
}

const CLIENTS = 8;
const BATCH = 500;
const TIMEOUT_MS = 15_000;
/** Follows each request on its connection, and ends it. */
const LAST = Buffer.from('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
const FAILURES_MAX = 50;

/** Sends `count` requests; returns the count of each status, and the requests without a valid response. */
export async function sendFuzzRequests({
  port,
  count,
  seed,
  ...input
}: FuzzInput & Readonly<Record<'port' | 'count' | 'seed', number>>) {
  const arbitrary = fuzzRequests(input);
  const outcomes: Record<string, number> = {};
  const failures: string[] = [];
  for (let done = 0; done < count && failures.length < FAILURES_MAX; done += BATCH) {
    const numRuns = Math.min(BATCH, count - done);
    const batch = fc.sample(arbitrary, { numRuns, seed: seed + done });
    const send = async () => {
      // Stop when the server hangs repeatedly: more failures add no information.
      while (failures.length < FAILURES_MAX) {
        const request = batch.pop();
        if (!request) return;
        const end = performance.now() + TIMEOUT_MS;
        const response = await sendBytes(port, Buffer.concat([request, LAST]), TIMEOUT_MS);
        const status = /^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1] ?? 'closed';
        const outcome = performance.now() < end ? status : 'timeout';
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        const start = JSON.stringify(request.toString('latin1').slice(0, 1500));
        if (outcome === 'timeout' || Number(outcome) >= 500) failures.push(`${outcome}: ${start}`);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, send));
  }
  return { outcomes, failures };
}
