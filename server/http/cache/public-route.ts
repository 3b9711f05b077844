import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';

import { isUserId } from '#domain/identifier.ts';
import { withLanguageQuery } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';
import { cardNotFoundError } from '#server/error.ts';
import type { Settings } from '#server/settings/settings.ts';
import type { Answer } from '#server/http/entry.ts';
import { hstsHeaders, originVaryHeader } from '#server/http/headers.ts';
import { chooseLanguage, languageIn } from '#server/http/language.ts';
import type { AddressLimits, MemoryRateLimit } from '#server/http/limit.ts';
import type { RequestLog } from '#server/http/log/request-log.ts';
import { originOf, createResponseHeaders } from '#server/http/proxy.ts';
import type { Client, Proxies } from '#server/http/proxy.ts';
import { chooseEncoding } from '#server/http/representation.ts';
import type { Encoding } from '#server/http/representation.ts';
import { StoredResponse, send, whenEncoded, writeStored } from '#server/http/stored-response.ts';

import type { ResponseCache, ResponseKey, Ticket } from './response-cache.ts';

const OK = 200;
/** Matches a parameter in a route's URL and captures the first character of its own regular expression. */
const PARAMETER = /:\w+(?:\(\^(\S)\S*\))?/g;

export type CountRequest = (
  labels: { readonly method: string; readonly route: string; readonly status: number },
  durationMs: number,
) => void;

interface Options {
  readonly settings: Pick<Settings, 'publicUrl' | 'languages' | 'corsOrigins'>;
  readonly responses: ResponseCache;
  readonly readRateLimit: MemoryRateLimit;
  readonly proxies: Proxies;
  readonly log: RequestLog | null;
  readonly count: CountRequest | null;
}

/** A route whose responses are the same for every stranger. */
interface PublicPath {
  readonly url: string;
  readonly config?: FastifyContextConfig;
  /** Whether a request counts as a read of a card. */
  readonly isRead: boolean;
  readonly containsOrigin?: boolean;
  readonly isTranslated?: boolean;
}

/** The findings about the headers of a request, which are evaluated only once. */
interface RequestTraits {
  readonly negotiated: Language | undefined;
  readonly encoding: Encoding;
  /** This is false if the IP address has read too many cards. */
  readonly isPermitted: boolean;
}

type Render = (
  request: FastifyRequest,
  traits: RequestTraits,
) => Promise<{ readonly response: StoredResponse; readonly cacheControl?: string }>;

/**
 * Receives every public GET and HEAD request. It sends a stored response before the router runs. If none is
 * stored, the router renders the response or an error.
 */
export class Entrance {
  readonly #options: Options;
  readonly #headersOf: ReturnType<typeof createResponseHeaders>;
  readonly #paths: (PublicPath & { readonly pattern: RegExp; readonly vary: { vary?: string } })[] =
    [];
  readonly #traits = new WeakMap<IncomingMessage, RequestTraits>();

  constructor(options: Options) {
    this.#options = options;
    this.#headersOf = createResponseHeaders(hstsHeaders(options.settings.publicUrl));
  }

  register(fastify: FastifyInstance, path: PublicPath, render: Render): void {
    const { readRateLimit, settings } = this.#options;
    const { url, config = {} } = path;
    this.#paths.push({
      ...path,
      pattern: patternOf(url),
      vary: originVaryHeader(url, settings.corsOrigins),
    });
    fastify.get(url, { config: { ...config, isPublic: true } }, async (request, reply) => {
      const traits =
        this.#traits.get(request.raw) ?? this.#evaluate(request.raw, path, request.client);
      if (!traits.isPermitted) readRateLimit.check(request.client.prefix64);
      const { response, cacheControl } = await render(request, traits);
      return send(reply, response, { encoding: traits.encoding, cacheControl });
    });
  }

  readonly answer: Answer = (request, response) => {
    const startedAt = performance.now();
    const { method = '', headers, url = '' } = request;
    if ((method !== 'GET' && method !== 'HEAD') || needsRouter(headers)) return false;
    const path = this.#paths.find(({ pattern }) => pattern.test(url));
    if (!path) return false;
    const { settings, responses, proxies, log, count } = this.#options;
    const client = proxies.clientOf(request);
    if (client.address === '' || client.fault !== null) return false;
    const traits = this.#evaluate(request, path, client);
    const originInResponse = path.containsOrigin ? (settings.publicUrl ?? client.origin) : '';
    const stored =
      traits.isPermitted &&
      originInResponse !== null &&
      // A negotiated language is part of the key. A language in the URL is not.
      ((traits.negotiated && responses.lookup(url, originInResponse, traits.negotiated)) ||
        responses.lookup(url, originInResponse));
    if (!stored) {
      this.#traits.set(request, traits);
      return false;
    }
    const id = proxies.requestIdOf(request);
    log?.(response, { id, method, pathText: stored.pathText, client, startedAt });
    const extraHeaders = { ...this.#headersOf(id, headers), ...path.vary };
    const { route } = stored;
    whenEncoded(response, stored.response.encode(traits.encoding), (encoded) => {
      writeStored(request, response, { encoded, extraHeaders });
      count?.({ method, route, status: response.statusCode }, performance.now() - startedAt);
    });
    return true;
  };

  #evaluate({ headers }: IncomingMessage, path: PublicPath, client: Client): RequestTraits {
    const { readRateLimit, settings } = this.#options;
    const isNegotiated = path.isTranslated && settings.languages.length > 0;
    return {
      negotiated: isNegotiated
        ? chooseLanguage(settings.languages, headers['accept-language'])
        : undefined,
      encoding: chooseEncoding(headers['accept-encoding']),
      isPermitted: !path.isRead || readRateLimit.count(client.prefix64),
    };
  }
}

/** Returns a pattern for the URLs of a route, except those with escapes, which only the router decodes. */
function patternOf(url: string): RegExp {
  const path = url
    .replaceAll('.', String.raw`\.`)
    .replace(PARAMETER, (_parameter, first = '') => `${first}[^/?]+`);
  return new RegExp(String.raw`^${path}(?:\?|$)`);
}

/** A request with one of these goes to the router, which reads credentials and bodies and sets CORS headers. */
const ROUTER_HEADERS = ['authorization', 'content-encoding', 'content-length', 'origin'] as const;

const needsRouter = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined ||
  ROUTER_HEADERS.some((name) => headers[name] !== undefined);

interface PublicRouteContext extends Pick<AddressLimits, 'newHostLimit'> {
  readonly entrance: Entrance;
  readonly fastify: FastifyInstance;
  readonly settings: Pick<Settings, 'publicUrl' | 'languages'>;
  readonly responses: ResponseCache;
}

export type PublicRequest = FastifyRequest<{
  Params: Readonly<Record<string, string>>;
  Querystring: Readonly<Record<string, string | string[]>>;
}>;

export type CardKey = ResponseKey & {
  readonly userId: string;
  readonly ticket: Ticket;
  readonly pageLanguage: PageLanguage;
  readonly isShareable: boolean;
};

type UserIdOf = string | StoredResponse | undefined;

interface PublicRoute extends Omit<PublicPath, 'isRead'> {
  readonly userIdOf?: (request: PublicRequest) => UserIdOf | Promise<UserIdOf>;
  readonly pathOf: (userId: string, request: PublicRequest) => string;
  readonly respond: (key: CardKey, request: PublicRequest) => Promise<StoredResponse | null>;
  /** Returns whether the response, of status 200, is for this request alone. */
  readonly isPrivate?: (userId: string, request: PublicRequest) => boolean;
  readonly unknown?: (language: PageLanguage, request: PublicRequest) => StoredResponse;
}

/**
 * Registers a public GET of a card, which counts as a read. If the card changes during the render, the
 * response is `no-store`.
 */
export function publicRoute(context: PublicRouteContext, route: PublicRoute): void {
  const { fastify, entrance, settings, responses, newHostLimit } = context;
  const { url, config, containsOrigin = false, isTranslated = false, pathOf, respond } = route;
  const hasRequestHost = containsOrigin && settings.publicUrl === null;
  const languages = isTranslated ? settings.languages : [];
  const { userIdOf = ({ params }) => params['userID'], unknown = throwNotFound } = route;

  entrance.register(
    fastify,
    { ...route, isRead: true },
    async (untypedRequest, { negotiated, encoding }) => {
      const request = untypedRequest as PublicRequest;
      // The ticket must be opened before `userIdOf` reads anything.
      const { openedAt } = responses.openTicket(null);
      const userId = (await userIdOf(request)) ?? '';
      if (userId instanceof StoredResponse) return { response: userId };
      const chosen = languageIn(request.query, languages, negotiated);
      if (!isUserId(userId)) return { response: unknown(chosen, request) };
      const ticket = { userId, openedAt };
      const origin = containsOrigin ? originOf(request, settings.publicUrl) : '';
      if (hasRequestHost) newHostLimit.countOrThrow(origin, request.client);
      const { language, offered, isInUrl } = chosen;
      const ownPath = pathOf(userId, request);
      const key: CardKey = {
        userId,
        path: isInUrl ? withLanguageQuery(ownPath, language) : ownPath,
        origin,
        language: offered.length === 0 || isInUrl ? undefined : language,
        ticket,
        isAuthorized: request.headers.authorization !== undefined,
        isApiCall: config?.endpoint !== undefined,
        encoding,
        pageLanguage: chosen,
        isShareable: !hasRequestHost,
        route: url,
      };
      const found = await respond(key, request);
      const response = found ?? unknown(chosen, request);
      if (found?.status === OK && route.isPrivate?.(userId, request))
        return { response, cacheControl: 'private, no-store' };
      // If the ticket is void, the card changed during the render.
      return responses.isVoid(ticket) ? { response, cacheControl: 'no-store' } : { response };
    },
  );
}

function throwNotFound(): never {
  throw cardNotFoundError();
}
