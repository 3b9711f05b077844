import * as fc from 'fast-check';
import * as z from 'zod/mini';

import type { Endpoint } from '#contract/endpoint.ts';
import { logout } from '#contract/user.ts';

import { anyText } from './any-text.ts';
import { ENDPOINTS } from './endpoints.ts';
import { HOSTILE_STRINGS } from './hostile-strings.ts';
import type { JsonSchema } from './json-schema.ts';
import { RawClient } from './raw-client.ts';

export interface FuzzRequest {
  readonly bytes: Buffer;
  readonly isHead: boolean;
}

const PAGES = (
  '/ /login /ftue/ /dashboard/ /user/:id /user/:id/contact.vcf /user/:id/preview.jpg ' +
  '/photos/:id /icons/:id /assets/:id /privacy_policy /healthz /readyz /metrics ' +
  '/api/openapi.json /:id'
).split(' ');
const LATIN = 'latin1';
const LOGOUT = `/api${logout.path}`;

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE_STRINGS),
  anyText(60),
  fc.string({ unit: 'grapheme', maxLength: 130 }),
);

/** Values that mostly fit a schema; some have another type, and keys may be missing. */
function arbitraryFor(schema: JsonSchema, text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const odd = {
    weight: 1,
    arbitrary: fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<unknown>,
  };
  const good = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof({ weight: 9, arbitrary }, odd);
  if (schema.properties) {
    const entries = Object.entries(schema.properties).map(([key, one]) => [
      key,
      arbitraryFor(one, text),
    ]);
    return good(fc.record(Object.fromEntries(entries), { requiredKeys: [] }));
  }
  if (schema.enum) return good(fc.constantFrom(...schema.enum));
  if (schema.type === 'number' || schema.type === 'integer') return good(fc.double());
  return good(text);
}

const asJson = (arbitrary: fc.Arbitrary<unknown>) =>
  arbitrary.map((value) => Buffer.from(JSON.stringify(value) ?? ''));

function bodiesOf({ body }: Endpoint, text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((values) => Buffer.from(values));
  if (body === undefined) return fc.oneof(fc.constant(Buffer.alloc(0)), bytes);
  if (body === 'multipart') return fc.oneof(multipart, bytes);
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const whole = asJson(arbitraryFor(schema, text));
  const truncated = fc.tuple(whole, fc.nat(200)).map(([json, index]) => json.subarray(0, index));
  const corrupted = fc
    .tuple(whole, fc.nat(200), fc.nat(255))
    .map(([json, index, byte]) =>
      Buffer.concat([json.subarray(0, index), Buffer.from([byte]), json.subarray(index)]),
    );
  const deep = fc.nat(3000).map((depth) => Buffer.from('['.repeat(depth) + ']'.repeat(depth)));
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 1, arbitrary: truncated },
    { weight: 1, arbitrary: corrupted },
    { weight: 1, arbitrary: bytes },
    { weight: 1, arbitrary: deep },
  );
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

interface FuzzInput {
  readonly ids: readonly string[];
  readonly tokens: readonly string[];
}

/** Requests that are close to a valid call or page, and random bytes. */
export function fuzzRequests({ ids, tokens }: FuzzInput): fc.Arbitrary<FuzzRequest> {
  const id = fc.oneof(fc.constantFrom(...ids), hostile.map(encodeReplacingSurrogates), hostile);
  const valid = [
    'Asha Rao',
    '9876543210',
    '+91 98765 43210',
    'https://x.com/asha',
    'tessera',
    '123456',
  ];
  const text = fc.oneof(hostile, fc.constantFrom(...ids, ...valid));
  const authorization = fc.oneof(fc.constantFrom(...tokens), hostile, fc.constant(null));
  const call = fc.constantFrom(...ENDPOINTS).chain((endpoint) =>
    fc.record({
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant(endpoint.method as string) },
        { weight: 1, arbitrary: fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH') },
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
      target: fc.oneof({ weight: 4, arbitrary: call }, { weight: 1, arbitrary: page }),
      id,
      query: fc.oneof(fc.constant(''), fc.webQueryParameters(), hostile),
      authorization,
      extra: fc.option(fc.tuple(fc.constantFrom(...HEADERS), hostile)),
      address: fc.ipV4(),
    })
    .map(asBytes);
  const garbage = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => ({
    bytes: Buffer.concat([Buffer.from(bytes), Buffer.from('\r\n\r\n')]),
    isHead: false,
  }));
  return fc.oneof({ weight: 30, arbitrary: request }, { weight: 1, arbitrary: garbage });
}

const HEADERS = (
  'Accept-Encoding If-None-Match Content-Encoding X-Forwarded-For X-Forwarded-Proto ' +
  'X-Forwarded-Host Host Range Expect Accept Cookie'
).split(' ');

/** Removes what would start another header line or another request. */
const withoutLineBreaks = (text: string) => text.replace(/[\r\n]/g, '');

function asBytes({
  target,
  id,
  query,
  authorization,
  extra,
  address,
}: {
  readonly target: { method: string; path: string; body: Buffer; type: string };
  readonly id: string;
  readonly query: string;
  readonly authorization: string | null;
  readonly extra: readonly [string, string] | null;
  readonly address: string;
}): FuzzRequest {
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
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  return { bytes: Buffer.concat([head, target.body]), isHead: target.method === 'HEAD' };
}

function encodeReplacingSurrogates(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

export interface FuzzRun extends FuzzInput {
  readonly port: number;
  readonly count: number;
  readonly seed: number;
}

const CLIENTS = 8;
const BATCH = 500;
const FAILURES_MAX = 50;

/** Sends `count` requests; returns the count of each status, and the requests without a valid response. */
export async function sendFuzzRequests({ port, count, seed, ...input }: FuzzRun) {
  const arbitrary = fuzzRequests(input);
  const outcomes: Record<string, number> = {};
  const failures: string[] = [];
  const clients = Array.from({ length: CLIENTS }, () => new RawClient(port));
  for (let done = 0; done < count && failures.length < FAILURES_MAX; done += BATCH) {
    const batch = fc.sample(arbitrary, {
      numRuns: Math.min(BATCH, count - done),
      seed: seed + done,
    });
    await Promise.all(
      clients.map(async (client) => {
        // Stop when the server hangs repeatedly: more failures add no information.
        for (
          let request = batch.pop();
          request && failures.length < FAILURES_MAX;
          request = batch.pop()
        ) {
          const outcome = await client.send(request.bytes, request.isHead);
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          if (outcome === 'timeout' || Number(outcome) >= 500) {
            failures.push(
              `${outcome}: ${JSON.stringify(request.bytes.toString(LATIN).slice(0, 1500))}`,
            );
          }
        }
      }),
    );
  }
  for (const client of clients) client.close();
  return { outcomes, failures };
}
