import type { FastifyInstance } from 'fastify';

import type { Access, Endpoint } from '#contract/endpoint.ts';

export interface RouteEntry {
  readonly method: string;
  readonly url: string;
  /** Null if the route does not declare its access. */
  readonly access: Access | null;
  readonly endpoint: Endpoint | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: readonly RouteEntry[];
  }
}

export function recordRoutes(fastify: FastifyInstance): void {
  const table: RouteEntry[] = [];
  fastify.decorate('routeTable', table);
  fastify.addHook('onRoute', ({ method, url, config }) => {
    const methods = Array.isArray(method) ? method : [method];
    const { access = null, endpoint = null } = config ?? {};
    for (const each of methods) table.push({ method: each, url, access, endpoint });
  });
}
