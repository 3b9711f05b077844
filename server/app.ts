import { fastify as createServer } from 'fastify';
import type { FastifyBaseLogger } from 'fastify';

import { contactRoutes } from './contact/routes.ts';
import { addBodyParser } from './http/body.ts';
import { handleProtocolErrors, handleClientError } from './http/client-error.ts';
import { addHeaders } from './http/headers.ts';
import { refuse, notFoundHandler, frameworkErrorHandler } from './http/error-handler.ts';
import { ReadRateLimit } from './http/read-rate-limit.ts';
import { recordRoutes } from './http/route-table.ts';
import type { AppContext } from './context.ts';
import { createMeter } from './metric/meter.ts';
import { metricRoutes } from './metric/routes.ts';
import { CardCache } from './http/response-cache.ts';
import { cardRoutes } from './card/routes.ts';
import { addCardFastPath } from './card/fast-path.ts';
import { errorPageRenderer } from './page/error-page.ts';
import { pageRoutes } from './page/routes.ts';
import type { Dependencies } from './context.ts';
import { photoRoutes } from './photo/routes.ts';
import type { Settings } from './settings.ts';
import { createAuthenticator } from './session/session.ts';
import { embeddedRoutes } from './signin/embedded-routes.ts';
import { signinRoutes } from './signin/routes.ts';
import { statusRoutes } from './status/routes.ts';
import { userRoutes } from './user/routes.ts';

const SECOND_MS = 1000;
const HEADERS_TIMEOUT_MS = 10 * SECOND_MS;
const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;
/** Who reads nothing of what it asked for, or is nowhere any more, is let go. */
const SILENCE_MS = 60 * SECOND_MS;
const KEEP_ALIVE_MS = 5 * SECOND_MS;
/** As long as Node lets an address be, so that a long id is an id that nobody has. */
const PARAMETER_LENGTH_MAX = 16 * 1024;

/**
 * The contract parses and filters; Fastify's own compilers for JSON Schema would take a sixth of
 * the start. A route with such a schema is a mistake that ends it.
 */
const NO_SCHEMAS = {
  compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema },
};

/** The whole service as a Fastify instance that listens nowhere yet. */
export function buildApp(settings: Settings, dependencies: Dependencies) {
  const log: FastifyBaseLogger = dependencies.log;
  const renderPage = errorPageRenderer(settings);
  const fastify = createServer({
    clientErrorHandler: handleClientError,
    frameworkErrors: frameworkErrorHandler(renderPage),
    loggerInstance: log,
    trustProxy: settings.trustProxy.length > 0 ? [...settings.trustProxy] : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: SECOND_MS,
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    // Whoever is let in is served, to the last.
    return503OnClosing: false,
    schemaController: NO_SCHEMAS,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH_MAX },
  });
  fastify.decorateRequest('caller', null);
  recordRoutes(fastify);
  fastify.setErrorHandler(refuse(renderPage));
  fastify.setNotFoundHandler(notFoundHandler(renderPage));
  addHeaders(fastify);
  handleProtocolErrors(fastify);
  addBodyParser(fastify);

  const cards = new CardCache(Infinity);
  dependencies.invalidations?.subscribe(cards);
  const isCounted = settings.metricsPort >= 0 || settings.metricsToken !== '';
  const meter = isCounted ? createMeter(dependencies, cards) : null;
  metricRoutes(fastify, meter, settings.metricsToken);

  const context: AppContext = {
    fastify,
    settings,
    dependencies: meter?.counting(dependencies) ?? dependencies,
    cards,
    readRateLimit: new ReadRateLimit(dependencies.clock),
    authenticate: createAuthenticator({
      database: dependencies.database,
      clock: dependencies.clock,
      sessionDays: settings.sessionDays,
    }),
  };
  signinRoutes(context);
  if (dependencies.provider.client.kind === 'embedded') embeddedRoutes(context);
  userRoutes(context);
  photoRoutes(context);
  contactRoutes(context);
  cardRoutes(context);
  pageRoutes(context);
  statusRoutes(context);
  addCardFastPath(context);
  return fastify;
}

function refuseSchema(): never {
  throw new Error('Calls are parsed by the contract: a route has no schema of its own.');
}
