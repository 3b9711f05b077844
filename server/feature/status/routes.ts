import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyRequest } from 'fastify';

import type { ApiErrorCode } from '#contract/api-error.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { AppContext, Dependencies } from '#server/context.ts';
import { VERSION } from '#server/version.ts';
import { openApiDocument } from '#contract/openapi.ts';
import { fixedFile, sendStored } from '#server/http/stored-response.ts';
import type { StoredResponse } from '#server/http/stored-response.ts';
import { parseAddress } from '#server/http/proxy.ts';
import { API_PREFIX } from '#server/http/route.ts';
import { USER_COLUMNS } from '#server/adapter/profile/store.ts';
import { Unavailable } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { SCHEMA_VERSION, readNewestMigration } from '#server/adapter/database/migrate.ts';
import { findRejectedStart } from '#server/adapter/database/data-folder.ts';
import { findClockJump } from '#server/adapter/database/clock-guard.ts';
import { tryWrite } from '#server/adapter/database/statistics.ts';

const UNAVAILABLE = 503;
const RETRY_AFTER_SECONDS = '2';
const NOT_READY = {
  error: 'unavailable' satisfies ApiErrorCode,
  message: 'This node is not ready. Try again.',
};

declare module 'fastify' {
  interface FastifyInstance {
    /** After this call /readyz is 503, and every response closes its connection. */
    drain: () => void;
  }
}

/** Tells whether TRUST_PROXY names all proxies, if the client itself sent no X-Forwarded-For. */
function describeProxyTrust({ headers, ip }: FastifyRequest): { proxy: string } {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return { proxy: 'none' };
  const [first = ''] = String(forwarded).split(',');
  return { proxy: parseAddress(first) === ip ? 'trusted' : 'not trusted' };
}

/**
 * A node stays ready without the photo store, because all nodes share it, and without an image decoder,
 * because all nodes of one build lack it together. If nothing can be saved or some data cannot be read, it also
 * stays ready, because other cards are still served. The same holds if a jump of the clock has paused the cleanup, or
 * if a second process has tried to start on its folder.
 */
const DEGRADED = ['writes', 'photos', 'pictures', 'data', 'cleanup', 'folder'];
const isReady = (unavailable: readonly string[]) =>
  unavailable.every((name) => DEGRADED.includes(name));

/** Serves liveness, readiness and the API document (docs/operate/monitoring.md#health). */
export function statusRoutes(context: AppContext): void {
  const { fastify, entry, dependencies, settings } = context;
  const checkDependencies = createReadinessCheck(dependencies, settings.dataDir);
  const findUnavailable = async () => (entry.isDraining ? ['draining'] : checkDependencies());
  fastify.meter?.registerReadiness(async () => isReady(await findUnavailable()));
  fastify.meter?.registerDegraded(DEGRADED, findUnavailable);
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
      return {
        status: 'ok',
        version: VERSION,
        ...(proxy === undefined ? {} : describeProxyTrust(request)),
      };
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

function apiDocumentRoute({ fastify, settings }: AppContext): void {
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
    // All routes are known at the first request, but not yet here.
    document ??= createDocument();
    return sendStored(request, reply, document);
  });
}

const DATABASE_TIMEOUT_MS = 1900;
/** A node is ready without its photo store, so a slow store must not delay the response. */
const PHOTOS_TIMEOUT_MS = 700;
const WRITE_TIMEOUT_MS = 1200;
/** A write costs a sync of the disk, and proxies ask each second. */
const WRITE_EVERY_MS = 5 * SECOND_MS;

/** Returns the names of what is unavailable. Concurrent calls share one check. */
export function createReadinessCheck(
  { database, photos, decoder, clock, log }: Dependencies,
  dataDir: string,
) {
  let pending: Promise<string[]> | null = null;
  let lastUnavailable = '';
  let last = { at: -Infinity, writes: null as string | null, cleanup: null as string | null };

  async function checkDatabase() {
    const error = await failureReason(() => checkUserTable(database), DATABASE_TIMEOUT_MS);
    if (error !== null) return { database: error };
    const at = performance.now();
    if (at - last.at >= WRITE_EVERY_MS) {
      const write = () => tryWrite(database, clock.now());
      const writes = await failureReason(write, WRITE_TIMEOUT_MS);
      last = { at, writes, cleanup: await findClockJump(database, clock.now()).catch(() => null) };
    }
    const data = database.damage?.found ?? null;
    return { database: null, data, writes: last.writes, cleanup: last.cleanup };
  }

  const checkFolder = async () => {
    const reason = await findRejectedStart(dataDir, clock.now());
    if (reason !== null) throw new Error(reason);
  };

  async function check(): Promise<string[]> {
    const [stored, photosError, folder] = await Promise.all([
      checkDatabase(),
      failureReason(() => photos.check(), PHOTOS_TIMEOUT_MS),
      failureReason(checkFolder, PHOTOS_TIMEOUT_MS),
    ]);
    const results = {
      ...stored,
      photos: photosError,
      pictures: decoder.findFailure(),
      folder,
    };
    const why = Object.fromEntries(Object.entries(results).filter(([, reason]) => reason !== null));
    const unavailable = Object.keys(why);
    if (unavailable.join() !== lastUnavailable)
      log.warn({ unavailable, why }, 'the availability of dependencies has changed');
    lastUnavailable = unavailable.join();
    return unavailable;
  }

  return () =>
    (pending ??= check().finally(() => {
      pending = null;
    }));
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
    // Our own sentence is for the owner. Its cause names what the disk or the database has said.
    const cause = error instanceof Unavailable ? error.cause : error;
    return cause instanceof Error ? cause.message : String(error);
  }
}

export async function checkUserTable(database: Database): Promise<void> {
  await database.checkFile?.();
  await database.one(`SELECT ${USER_COLUMNS} FROM users LIMIT 1`);
  if ((await readNewestMigration(database)) < SCHEMA_VERSION)
    throw new Error('The schema is of an older version.');
}
