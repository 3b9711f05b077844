import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyRequest } from 'fastify';

import type { ApiErrorCode } from '#contract/api-error.ts';
import type { AppContext, Dependencies } from '#server/context.ts';
import { VERSION } from '#server/version.ts';
import { openApiDocument } from '#contract/openapi.ts';
import { fixedFile } from '#server/http/stored-response.ts';
import type { StoredResponse } from '#server/http/stored-response.ts';
import { API_PREFIX } from '#server/http/route.ts';
import { sendStored } from '#server/http/send.ts';
import { checkUserTable } from '#server/adapter/profile/store.ts';

const UNAVAILABLE = 503;
const RETRY_AFTER_SECONDS = '2';
const NOT_READY = {
  error: 'unavailable' satisfies ApiErrorCode,
  message: 'This node is not ready. Try again.',
};

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on /readyz is 503 and every response closes its connection. */
    drain: () => void;
  }
}

/** Whether TRUST_PROXY has all proxies of a request that was sent without X-Forwarded-For. */
function proxyOf({ headers, ip }: FastifyRequest): { proxy: string } {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return { proxy: 'none' };
  const [first = ''] = String(forwarded).split(',');
  return { proxy: first.trim() === ip ? 'trusted' : 'not trusted' };
}

/** Cards are served without the photo store. It is shared, so all nodes would fail together. */
const isReady = (unavailable: readonly string[]) => unavailable.every((name) => name === 'photos');

/** Liveness, readiness and the API document (docs/operating.md#health). */
export function statusRoutes(context: AppContext): void {
  const { fastify, entry, dependencies } = context;
  const checkDependencies = createReadinessCheck(dependencies);
  const findUnavailable = async () => (entry.isDraining ? ['draining'] : checkDependencies());
  fastify.meter?.registerReadiness({ findUnavailable, isReady });
  const config = { isLoggedOnlyOnFailure: true };
  fastify.decorate('drain', () => {
    entry.isDraining = true;
  });

  fastify.get<{ Querystring: { proxy?: string } }>(
    '/healthz',
    { config },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      const { proxy } = request.query;
      return { status: 'ok', version: VERSION, ...(proxy === undefined ? {} : proxyOf(request)) };
    },
  );

  fastify.get('/readyz', { config }, async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    const unavailable = await findUnavailable();
    if (unavailable.length === 0) return { status: 'ready' };
    if (isReady(unavailable)) return { status: 'ready', degraded: unavailable };
    return reply
      .code(UNAVAILABLE)
      .header('retry-after', RETRY_AFTER_SECONDS)
      .send({ ...NOT_READY, status: 'not ready', why: unavailable });
  });

  apiDocumentRoute(context);
}

export function apiDocumentRoute({ fastify, settings }: AppContext): void {
  let document: StoredResponse | null = null;

  function createDocument(): StoredResponse {
    const endpoints = fastify.routeTable.flatMap((entry) =>
      entry.endpoint && entry.method === entry.endpoint.method ? [entry.endpoint] : [],
    );
    const options = { title: settings.productName, server: API_PREFIX };
    const body = JSON.stringify(openApiDocument(endpoints, options));
    return fixedFile(body, ['application/json; charset=utf-8', 'public, max-age=300']);
  }

  const config = { access: 'open' } as const;
  fastify.get(`${API_PREFIX}/openapi.json`, { config }, (request, reply) => {
    // At the first request, when all routes are known.
    document ??= createDocument();
    return sendStored(request, reply, document);
  });
}

const DATABASE_TIMEOUT_MS = 1900;
/** A node without its photo store is ready: a slow store must not delay that response. */
const PHOTOS_TIMEOUT_MS = 700;

/** Returns the names of what is unavailable. Concurrent calls share one check. */
export function createReadinessCheck({
  database,
  photos,
  log,
}: Pick<Dependencies, 'database' | 'photos' | 'log'>) {
  let pending: Promise<string[]> | null = null;
  let lastUnavailable = '';

  async function check(): Promise<string[]> {
    const [databaseError, photosError] = await Promise.all([
      failureReason(() => checkDatabase(database), DATABASE_TIMEOUT_MS),
      failureReason(() => photos.check(), PHOTOS_TIMEOUT_MS),
    ]);
    const reasons = {
      ...(databaseError === null ? {} : { database: databaseError }),
      ...(photosError === null ? {} : { photos: photosError }),
    };
    const unavailable = Object.keys(reasons);
    if (unavailable.join() !== lastUnavailable) {
      log.warn({ unavailable, why: reasons }, 'the availability of dependencies has changed');
    }
    lastUnavailable = unavailable.join();
    return unavailable;
  }

  return () =>
    (pending ??= check().finally(() => {
      pending = null;
    }));
}

async function checkDatabase(database: Dependencies['database']): Promise<void> {
  await database.checkFile?.();
  await checkUserTable(database);
}

async function failureReason(
  call: () => Promise<unknown>,
  timeoutMs: number,
): Promise<string | null> {
  try {
    return await Promise.race([
      call().then(() => null),
      delay(timeoutMs, 'No response in time.', { ref: false }),
    ]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
