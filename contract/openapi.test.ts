import { expect, test } from 'vitest';

import { ENDPOINTS } from '#tests/support/endpoints.ts';

import { openApiDocument } from './openapi.ts';

interface Operation {
  readonly security: readonly unknown[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: object }>> };
  readonly responses: Readonly<Record<string, { content: Readonly<Record<string, object>> }>>;
}

const DOCUMENT = openApiDocument(ENDPOINTS, { title: 'Tessera', server: '/api' });
const OPERATIONS = new Map(
  Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as Operation] as const,
    ),
  ),
);

test('API document: has each call with its caller, parameters, body and statuses', () => {
  const found = [...OPERATIONS].map(([call, operation]) => ({
    call,
    isOpen: operation.security.length === 0,
    parameters: operation.parameters.filter((one) => one.in === 'path').map((one) => one.name),
    body: Object.keys(operation.requestBody?.content ?? {}).join(),
    reply: Object.keys(operation.responses['200']?.content ?? {}).join(),
    statuses: Object.keys(operation.responses).join(' '),
  }));
  const expected = ENDPOINTS.map(({ method, path, access, body, replyType, requestHeaders }) => ({
    call: `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    isOpen: access === 'open',
    parameters: Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name),
    body:
      body === undefined ? '' : body === 'multipart' ? 'multipart/form-data' : 'application/json',
    reply: replyType ?? 'application/json',
    statuses: [
      '200 400 403',
      ...(requestHeaders && 'If-Match' in requestHeaders ? ['412'] : []),
      ...(body === undefined ? [] : ['413']),
      '429 503 default',
    ].join(' '),
  }));
  const sorted = (calls: typeof expected) => calls.toSorted((a, b) => (a.call < b.call ? -1 : 1));
  expect(sorted(found)).toEqual(sorted(expected));
  expect(found.length).toBeGreaterThan(30);
});

test('API document: limits of an input are in its schema, and unknown keys are allowed', () => {
  expect(JSON.stringify(DOCUMENT)).not.toContain('"additionalProperties":false');
  const body = OPERATIONS.get('POST /profile/addContact')?.requestBody?.content['application/json'];
  const contact = { properties: { name: { type: 'string' }, mobile: { type: 'string' } } };
  expect(body?.schema).toMatchObject({ type: 'object', properties: { contact } });
});
