import { fastify as createServer } from 'fastify';
import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify';

import { createBrand } from '#domain/appearance.ts';
import { accountRoutes } from './feature/account/routes.ts';
import { analyticsRoutes } from './feature/analytics/routes.ts';
import { appearanceRoutes } from './feature/appearance/routes.ts';
import { Entrance } from './http/cache/public-route.ts';
import { ResponseCache } from './http/cache/response-cache.ts';
import { cardRoutes } from './feature/card/routes.ts';
import { contactRoutes } from './feature/contact/routes.ts';
import { contactsViewRoutes } from './feature/contact/contacts-view-routes.ts';
import type { AppContext, Dependencies } from './context.ts';
import { Unavailable, createDatabaseLimiter } from './adapter/database/database.ts';
import { ApiError } from './error.ts';
import { extrasRoutes } from './feature/extra/routes.ts';
import {
  createClientErrorHandler,
  ignoreExpectHeader,
  createErrorHandlers,
} from './http/error-handler.ts';
import { HttpEntry } from './http/entry.ts';
import { logSecurityEvents } from './http/log/event-log.ts';
import { addDefaultHeaders, allowOrigins } from './http/headers.ts';
import { RequestLogController, createLogging } from './http/log/request-log.ts';
import { createProxies, identifyClients } from './http/proxy.ts';
import type { Proxies } from './http/proxy.ts';
import { createAddressLimits } from './http/limit.ts';
import { addBodyParser, recordRoutes } from './http/route.ts';
import { createMeter } from './feature/metric/meter.ts';
import type { Meter } from './feature/metric/meter.ts';
import { createRequestCounter, metricRoutes } from './feature/metric/routes.ts';
import { LiveStreams } from './adapter/live-streams.ts';
import { TableStreams } from './adapter/table-streams.ts';
import { tableRoutes } from './feature/table/routes.ts';
import { receiptRoutes } from './feature/receipt/routes.ts';
import { liveRoutes } from './feature/live/routes.ts';
import { notificationRoutes } from './feature/notification/routes.ts';
import { createErrorPageSender } from './feature/page/error-page.ts';
import { pageRoutes } from './feature/page/routes.ts';
import { passkeyRoutes } from './feature/passkey/routes.ts';
import { photoRoutes } from './feature/photo/routes.ts';
import { ProviderTokens } from './adapter/otp/provider-tokens.ts';
import { createNotificationQueue } from './adapter/push/notification.ts';
import type { NotificationQueue } from './adapter/push/notification.ts';
import { createVapidKey } from './adapter/push/vapid.ts';
import { createWebhookQueue } from './adapter/webhook/delivery.ts';
import type { WebhookQueue } from './adapter/webhook/delivery.ts';
import { Sessions } from './adapter/session.ts';
import type { Settings } from './settings/settings.ts';
import { Uploads } from './adapter/uploads.ts';
import { signinRoutes } from './feature/signin/routes.ts';
import { statusRoutes } from './feature/status/routes.ts';
import { translationsRoutes } from './feature/translation/routes.ts';
import { userRoutes } from './feature/user/routes.ts';
import { walletRoutes } from './feature/wallet/routes.ts';
import { webhookRoutes } from './feature/webhook/routes.ts';

/**
 * Node accepts at most 16 KiB of headers, so no URL exceeds this and a long id reaches its route. Fastify's
 * default (100) would reject it with 414.
 */
const PARAMETER_LENGTH_MAX = 16 * 1024;

/** Clients wait this long before they retry while the database is unavailable. */
const RETRY_AFTER_SECONDS = 2;
const READ_FAILED = "The database isn't available. Try again.";
const toApiError = (error: FastifyError, method: string) =>
  error instanceof Unavailable
    ? new ApiError('unavailable', ['GET', 'HEAD'].includes(method) ? READ_FAILED : error.message, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error.cause,
      })
    : error;

/**
 * Loading Fastify's JSON Schema compilers would take a sixth of the start time, so a route with a
 * schema throws.
 */
const NO_SCHEMAS = {
  compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema },
};

declare module 'fastify' {
  interface FastifyInstance {
    notificationQueue: NotificationQueue;
    webhookQueue: WebhookQueue;
    responses: ResponseCache;
  }
}

export function buildApp(settings: Settings, dependencies: Dependencies) {
  const log: FastifyBaseLogger = dependencies.log;
  const handlers = createErrorHandlers(createErrorPageSender(settings), settings);
  const { clock, database } = dependencies;
  const proxies = createProxies(settings.trustProxy);
  const { formatAddress, requestLog } = createLogging(settings, dependencies);
  const responses = new ResponseCache(clock, settings.cardCacheMb, dependencies.pages);
  const meter = createMeter(dependencies, settings);
  const addressLimits = createAddressLimits(clock, settings);
  const entrance = new Entrance({
    ...addressLimits,
    settings,
    responses,
    proxies,
    log: requestLog,
    count: meter && createRequestCounter(meter),
  });
  const entry = new HttpEntry(entrance.answer);
  const fastify = createServer({
    serverFactory: entry.createServer,
    clientErrorHandler: createClientErrorHandler(settings.publicUrl, entry.isResponding),
    frameworkErrors: handlers.handleFrameworkError,
    loggerInstance: log,
    logController: new RequestLogController(requestLog, proxies),
    genReqId: proxies.requestIdOf,
    forceCloseConnections: 'idle',
    // A request on an open connection is still served while the server closes.
    return503OnClosing: false,
    schemaController: NO_SCHEMAS,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH_MAX },
  });
  addCommonHooks(fastify, settings, { ...handlers, proxies });
  logSecurityEvents(fastify, log, formatAddress);

  fastify.decorate('responses', responses);
  dependencies.invalidations?.subscribe(responses);
  database.onUnseenChanges?.(() => responses.dropAll());
  meter?.registerResponses(responses);
  metricRoutes(fastify, meter, settings.metricsToken);
  const sendCode = meter?.countCodes(dependencies.sendCode) ?? dependencies.sendCode;

  const cards = { database, responses, changes: createDatabaseLimiter() };
  const context: AppContext = {
    fastify,
    entrance,
    entry,
    settings,
    dependencies: { ...dependencies, sendCode },
    brand: createBrand(settings.brandColour, dependencies.brandLogo?.path ?? ''),
    responses,
    cards,
    ...addressLimits,
    sendCapAlarms: meter?.sendCapAlarms ?? null,
    providerTokens: new ProviderTokens(dependencies),
    sessions: new Sessions({ database, clock, sessionDays: settings.sessionDays }),
    live: new LiveStreams(dependencies),
    tableStreams: new TableStreams(dependencies),
    uploads: new Uploads(dependencies.photos, cards, settings.dataDir),
    ...createPush(fastify, dependencies, { settings, meter }),
  };
  registerRoutes(context);
  return fastify;
}

function addCommonHooks(
  fastify: FastifyInstance,
  settings: Settings,
  { proxies, ...handlers }: ReturnType<typeof createErrorHandlers> & { readonly proxies: Proxies },
) {
  fastify.decorateRequest('caller', null);
  // This must run before the first route is registered.
  recordRoutes(fastify);
  fastify.setErrorHandler<FastifyError>((error, request, reply) =>
    handlers.handleError(toApiError(error, request.method), request, reply),
  );
  fastify.setNotFoundHandler(handlers.handleNotFound);
  addDefaultHeaders(fastify, settings.publicUrl);
  allowOrigins(fastify, settings.corsOrigins);
  identifyClients(fastify, proxies);
  ignoreExpectHeader(fastify);
  addBodyParser(fastify);
}

function createPush(
  fastify: FastifyInstance,
  dependencies: Dependencies,
  { settings, meter }: { readonly settings: Settings; readonly meter: Meter | null },
) {
  const vapidKey = createVapidKey(dependencies.secret, `mailto:${settings.supportEmail}`);
  const count = (result: string) => meter?.notifications.inc({ result });
  const hasReminders = settings.views.has('contacts');
  const options = { ...dependencies, vapidKey, count, hasReminders };
  const notificationQueue = createNotificationQueue(options);
  fastify.decorate('notificationQueue', notificationQueue);
  const webhookQueue = createWebhookQueue({ ...dependencies, count: () => undefined });
  fastify.decorate('webhookQueue', webhookQueue);
  // This runs before the server waits for pending responses, because one of them may be waiting for a receiver.
  fastify.addHook('preClose', async () => {
    await Promise.all([notificationQueue.close(), webhookQueue.close()]);
  });
  return { vapidKey, notificationQueue, webhookQueue };
}

function registerRoutes(context: AppContext): void {
  signinRoutes(context);
  passkeyRoutes(context);
  userRoutes(context);
  accountRoutes(context);
  photoRoutes(context);
  appearanceRoutes(context);
  if (context.settings.cardExtras.size > 0) extrasRoutes(context);
  if (context.settings.languages.length > 0) translationsRoutes(context);
  contactRoutes(context);
  notificationRoutes(context);
  liveRoutes(context);
  if (context.settings.views.has('analytics')) analyticsRoutes(context);
  if (context.settings.views.has('contacts')) {
    contactsViewRoutes(context);
    webhookRoutes(context);
  }
  tableRoutes(context);
  receiptRoutes(context);
  cardRoutes(context);
  pageRoutes(context);
  walletRoutes(context);
  statusRoutes(context);
}

function rejectSchema(): never {
  throw new Error('A route must not have a JSON schema: the contract validates requests.');
}
