import type { FastifyInstance } from 'fastify';

import type { Access, Endpoint } from '#contract/endpoint.ts';

/** A route as it was put on the server, HEAD ones included. */
export interface RouteEntry {
  readonly method: string;
  readonly url: string;
  /** Null where nothing says who may call. */
  readonly access: Access | null;
  /** Null for a route that is no call of the contract: a page, for example. */
  readonly endpoint: Endpoint | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: readonly RouteEntry[];
  }
}

/** Keeps a list of every route that is added from now on, so that checks can walk all of them. */
export function recordRoutes(fastify: FastifyInstance): void {
  const table: RouteEntry[] = [];
  fastify.decorate('routeTable', table);
  fastify.addHook('onRoute', ({ method, url, config }) => {
    const methods = Array.isArray(method) ? method : [method];
    const { access = null, endpoint = null } = config ?? {};
    for (const one of methods) table.push({ method: one, url, access, endpoint });
  });
}
