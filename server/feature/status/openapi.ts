import { openApiDocument } from '#contract/openapi.ts';
import type { AppContext } from '#server/context.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { API_PREFIX } from '#server/http/route.ts';
import { sendStored } from '#server/http/send.ts';

const CACHE_CONTROL = 'public, max-age=300';

export function apiDocumentRoute({ fastify, settings }: AppContext): void {
  let document: StoredResponse | null = null;

  function createDocument(): StoredResponse {
    const endpoints = fastify.routeTable.flatMap((entry) =>
      entry.endpoint && entry.method === entry.endpoint.method ? [entry.endpoint] : [],
    );
    const options = { title: settings.productName, server: API_PREFIX };
    return new StoredResponse({
      body: JSON.stringify(openApiDocument(endpoints, options)),
      isFixed: true,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': CACHE_CONTROL,
      },
    });
  }

  const config = { access: 'open' } as const;
  fastify.get(`${API_PREFIX}/openapi.json`, { config }, (request, reply) => {
    // At the first request, when all routes are known.
    document ??= createDocument();
    return sendStored(request, reply, document);
  });
}
