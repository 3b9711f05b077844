import { openApiDocument } from '#contract/openapi.ts';
import { API_PREFIX } from '#server/http/route.ts';
import type { AppContext } from '#server/context.ts';

/** The calls that this server has, for programs that make clients of it. */
export function apiDocumentRoute({ fastify, settings }: AppContext): void {
  let document: object | null = null;

  const config = { access: 'open' } as const;
  fastify.get(`${API_PREFIX}/openapi.json`, { config }, async (_request, reply) => {
    const endpoints = fastify.routeTable.flatMap((entry) =>
      entry.endpoint && entry.method === entry.endpoint.method ? [entry.endpoint] : [],
    );
    document ??= openApiDocument(endpoints, { title: settings.productName, server: API_PREFIX });
    void reply.header('cache-control', 'public, max-age=300');
    return document;
  });
}
