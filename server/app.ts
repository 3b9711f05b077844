import { fastify as createServer } from 'fastify';
import type { FastifyBaseLogger } from 'fastify';

import { contactRoutes } from './contact/routes.ts';
import { limitBodies } from './http/bodies.ts';
import { answerOddRequests, refuseBytes } from './http/client-error.ts';
import { addHeaders } from './http/headers.ts';
import { refuse, refuseUnknown, refuseUnreadable } from './http/refusal.ts';
import { ReadingLimit } from './http/reading.ts';
import { keepRouteTable } from './http/route-table.ts';
import type { House } from './http/route.ts';
import { openMeter } from './metric/meter.ts';
import { metricRoutes } from './metric/routes.ts';
import { embeddedRoutes } from './otp/embedded/routes.ts';
import { CardCache } from './page/card-cache.ts';
import { addCardExpress } from './page/card-express.ts';
import { drawErrorPage } from './page/error.ts';
import { pageRoutes } from './page/routes.ts';
import type { Parts } from './parts.ts';
import { photoRoutes } from './photo/routes.ts';
import type { Settings } from './settings.ts';
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
export function buildApp(settings: Settings, parts: Parts) {
  const log: FastifyBaseLogger = parts.log;
  const drawPage = drawErrorPage(settings);
  const fastify = createServer({
    clientErrorHandler: refuseBytes,
    frameworkErrors: refuseUnreadable(drawPage),
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
  keepRouteTable(fastify);
  fastify.setErrorHandler(refuse(drawPage));
  fastify.setNotFoundHandler(refuseUnknown(drawPage));
  addHeaders(fastify);
  answerOddRequests(fastify);
  limitBodies(fastify);

  const cards = new CardCache(Infinity);
  parts.news?.tell(cards);
  const isCounted = settings.metricsPort >= 0 || settings.metricsToken !== '';
  const meter = isCounted ? openMeter(parts, cards) : null;
  metricRoutes(fastify, meter, settings.metricsToken);

  const house: House = {
    fastify,
    settings,
    parts: meter?.counting(parts) ?? parts,
    cards,
    reading: new ReadingLimit(parts.clock),
  };
  signinRoutes(house);
  if (parts.provider.client.kind === 'embedded') embeddedRoutes(house);
  userRoutes(house);
  photoRoutes(house);
  contactRoutes(house);
  pageRoutes(house);
  statusRoutes(house);
  addCardExpress(house);
  return fastify;
}

function refuseSchema(): never {
  throw new Error('Calls are parsed by the contract: a route has no schema of its own.');
}
