import { expect, test } from 'vitest';

import { ENDPOINTS } from '#tests/support/endpoints.ts';

import { openApiDocument } from './openapi.ts';

// The snapshot shows a change of the API in review; `-u` updates it (docs/recipes/endpoint.md).
test('API document: matches openapi.snap, and allows unknown keys', async () => {
  const document = openApiDocument(ENDPOINTS, { title: 'Tessera', server: '/api' });
  const text = JSON.stringify(document, null, 2);
  expect(text).not.toContain('"additionalProperties": false');
  await expect(text).toMatchFileSnapshot('./openapi.snap');
});
