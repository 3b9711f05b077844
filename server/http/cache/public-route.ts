import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';

import { isUserId } from '#domain/identifier.ts';
import { cardNotFoundError } from '#server/error.ts';
import { inLanguage } from '#domain/language/language.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import type { Settings } from '#server/settings/settings.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { pageLanguage } from '#server/http/language.ts';
import { chooseEncoding } from '#server/http/negotiation.ts';
import { originOf } from '#server/http/proxy.ts';
import { sendPrivate, sendStored, sendUnstorable } from '#server/http/send.ts';

import { rateLimitKey } from '#server/http/limit/address.ts';
import type { createReadLimits } from '#server/http/limit/rate-limit.ts';
import type { ResponseCache, ResponseKey, Ticket } from './response-cache.ts';

const OK = 200;

interface PublicRouteContext extends ReturnType<typeof createReadLimits> {
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

export function cacheControl(
  { isShareable }: Pick<CardKey, 'isShareable'>,
  directives: string,
  sharedSeconds?: number,
): string {
  if (!isShareable) return `private, ${directives}`;
  const shared = sharedSeconds === undefined ? '' : `, s-maxage=${sharedSeconds}`;
  return `public, ${directives}${shared}`;
}

type UserIdOf = string | StoredResponse | undefined;

interface PublicRoute {
  readonly url: string;
  readonly config?: FastifyContextConfig;
  readonly containsOrigin?: boolean;
  readonly isTranslated?: boolean;
  readonly userIdOf?: (request: PublicRequest) => UserIdOf | Promise<UserIdOf>;
  readonly pathOf: (userId: string, request: PublicRequest) => string;
  readonly respond: (key: CardKey, request: PublicRequest) => Promise<StoredResponse | null>;
  /** Returns whether the response, of status 200, is for this request alone. */
  readonly isPrivate?: (userId: string, request: PublicRequest) => boolean;
  readonly unknown?: (language: PageLanguage, request: PublicRequest) => StoredResponse;
}

/**
 * A public GET of a card, which counts as a read. If the card changes meanwhile, the response is
 * `no-store`.
 */
export function publicRoute(context: PublicRouteContext, route: PublicRoute): void {
  const { fastify, settings, responses, readRateLimit, newHostLimit } = context;
  const { url, config = {}, containsOrigin = false, isTranslated = false, pathOf, respond } = route;
  const hasRequestHost = containsOrigin && settings.publicUrl === null;
  const languages = isTranslated ? settings.languages : [];
  const { userIdOf = ({ params }) => params['userID'], unknown = throwNotFound } = route;

  fastify.get(url, { config }, async (request: PublicRequest, reply) => {
    readRateLimit.countOrThrow(rateLimitKey(request.ip));
    // From before what `userIdOf` reads.
    const { openedAt } = responses.openTicket(null);
    const userId = (await userIdOf(request)) ?? '';
    if (userId instanceof StoredResponse) return sendStored(request, reply, userId);
    const chosen = pageLanguage(languages, request.query, request.headers['accept-language']);
    if (!isUserId(userId)) return sendStored(request, reply, unknown(chosen, request));
    const ticket = { userId, openedAt };
    const origin = containsOrigin ? originOf(request, settings.publicUrl) : '';
    if (hasRequestHost) newHostLimit.countOrThrow(origin, request.ip);
    const { language, offered, isInAddress } = chosen;
    const path = pathOf(userId, request);
    const key: CardKey = {
      userId,
      path: isInAddress ? inLanguage(path, language) : path,
      origin,
      language: offered.length === 0 || isInAddress ? undefined : language,
      ticket,
      encoding: chooseEncoding(request.headers['accept-encoding']),
      pageLanguage: chosen,
      isShareable: !hasRequestHost,
      route: url,
    };
    const response = await respond(key, request);
    if (response?.status === OK && route.isPrivate?.(userId, request))
      return sendPrivate(request, reply, response);
    const send = responses.isVoid(ticket) ? sendUnstorable : sendStored;
    return send(request, reply, response ?? unknown(chosen, request));
  });
}

function throwNotFound(): never {
  throw cardNotFoundError();
}
