import type { FastifyInstance } from 'fastify';

import type { Access } from '#contract/endpoint.ts';

/** A route as it was put on the server, HEAD ones included. */
export interface RouteEntry {
  readonly method: string;
  readonly url: string;
  /** Null where nothing says who may call. */
  readonly access: Access | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: readonly RouteEntry[];
  }
}

/** Keeps a list of every route that is added from now on, so that checks can walk all of them. */
export function keepRouteTable(fastify: FastifyInstance): void {
  const table: RouteEntry[] = [];
  fastify.decorate('routeTable', table);
  fastify.addHook('onRoute', ({ method, url, config }) => {
    const methods = Array.isArray(method) ? method : [method];
    for (const one of methods) table.push({ method: one, url, access: config?.access ?? null });
  });
}
