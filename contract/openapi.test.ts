import { expect, test } from 'vitest';

import { ENDPOINTS } from '#tests/support/endpoints.ts';

import { openApiDocument } from './openapi.ts';

// The snapshot shows a change of the API in review; `-u` updates it (docs/recipes/endpoint.md).
test('API document: matches openapi.snap', async () => {
  const document = openApiDocument(ENDPOINTS, { title: 'Tessera', server: '/api' });
  await expect(JSON.stringify(document, null, 2)).toMatchFileSnapshot('./openapi.snap');
});
