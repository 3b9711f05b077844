import { expect, test } from 'vitest';

import { NETWORKS } from '#domain/network.ts';
import { PROFILE_FIELDS, PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import { ENDPOINTS } from '#tests/support/endpoints.ts';
import type { JsonSchema } from '#tests/support/json-schema.ts';

import { getContacts } from './contact.ts';
import { openApiDocument } from './openapi.ts';
import { getUser } from './user.ts';

test('API document: lists the public fields and the networks of a card', () => {
  const { paths } = openApiDocument([getUser], { title: 'Tessera', server: '/api' });
  const operation = paths['/user/{id}']?.['get'] as {
    responses: { 200: { content: { 'application/json': { schema: JsonSchema } } } };
  };
  const { properties = {} } = operation.responses[200].content['application/json'].schema;
  const publicFields = PROFILE_FIELD_NAMES.filter((name) => PROFILE_FIELDS[name].isPublic);
  const keys = ['_id', ...publicFields, 'profilePhoto', 'socialMediaHandles'];
  expect(Object.keys(properties)).toEqual(keys);
  expect(Object.keys(properties['socialMediaHandles']?.properties ?? {})).toEqual(NETWORKS);
});

test('API document: names the headers of a reply', () => {
  const { paths } = openApiDocument([getContacts], { title: 'T', server: '/api' });
  const schema = { type: 'string', enum: ['true', 'false'] };
  expect(paths['/profile/getContacts/{id}']?.['get']).toMatchObject({
    responses: { 200: { headers: { 'X-Held-Contacts': { schema: { type: 'string' } } } } },
    parameters: expect.arrayContaining([{ name: 'held', in: 'query', required: false, schema }]),
  });
});

// The snapshot shows a change of the API in review; `-u` updates it (docs/recipes/endpoint.md).
test('API document: matches openapi.snap', async () => {
  const document = openApiDocument(ENDPOINTS, { title: 'Tessera', server: '/api' });
  await expect(JSON.stringify(document, null, 2)).toMatchFileSnapshot('./openapi.snap');
});
