import type { FastifyInstance, FastifyRequest } from 'fastify';

import { userIdSchema } from '#domain/identifier.ts';

import { cardNotFoundError } from '#server/error.ts';
import type { FinishedResponse } from './finished-response.ts';
import { originOf } from './origin.ts';
import type { ReadRateLimit } from './rate-limit.ts';
import type { ResponseCache } from './response-cache.ts';
import { sendFinished } from './send.ts';

/** The pattern of a user id in a path. */
const ID_PATTERN = ':userID';

/** The parameters of a path with a user id. */
export interface CardParams {
  readonly userID: string;
}

/** The properties of AppContext that a card route uses. */
interface CardRouteContext {
  readonly fastify: FastifyInstance;
  readonly settings: { readonly publicUrl: string | null };
  readonly responses: ResponseCache;
  readonly readRateLimit: ReadRateLimit;
}

/** The card that a request names. */
export interface RequestedCard {
  readonly userId: string;
  /** The origin for its links; '' unless `containsOrigin`. */
  readonly origin: string;
  /** The client's IP address. */
  readonly address: string;
}

interface CardRoute {
  /** Returns the path of a card's response. */
  readonly pathOf: (userId: string) => string;
  /** Whether the response contains the origin of the request, or PUBLIC_URL. */
  readonly containsOrigin: boolean;
  /** Returns the response; null if there is no such card. */
  readonly render: (card: RequestedCard) => Promise<FinishedResponse | null>;
  /** Returns an uncached response after `render` failed, or throws the error. By default it throws. */
  readonly recover?: (error: unknown, card: RequestedCard) => Promise<FinishedResponse | null>;
  /** Sent if there is no such card. By default ApiError 'not_found' is thrown. */
  readonly unknown?: FinishedResponse;
}

/** Registers a public route of a card. Its responses are counted as reads, cached and revalidated. */
export function cardRoute(
  context: CardRouteContext,
  { pathOf, containsOrigin, render, recover, unknown }: CardRoute,
): void {
  const { publicUrl } = context.settings;
  const route = pathOf(ID_PATTERN);
  // With PUBLIC_URL the response is the same for every origin.
  const dependsOnOrigin = containsOrigin && publicUrl === null;

  async function respond(card: RequestedCard): Promise<FinishedResponse | null> {
    const { userId, origin } = card;
    const key = { userId, path: pathOf(userId), route };
    try {
      return await context.responses.getOrRender(dependsOnOrigin ? { ...key, origin } : key, () =>
        render(card),
      );
    } catch (error) {
      if (recover) return recover(error, card);
      throw error;
    }
  }

  context.fastify.get<{ Params: CardParams }>(route, async (request, reply) => {
    const userId = countCardRead(context, request);
    let response: FinishedResponse | null = null;
    if (userId !== null) {
      const origin = containsOrigin ? originOf(request, publicUrl) : '';
      response = await respond({ userId, origin, address: request.ip });
    }
    response ??= unknown ?? null;
    if (!response) throw cardNotFoundError();
    return sendFinished(request, reply, response);
  });
}

/** Counts a read of a card. Returns the user id in the path, or null if it is not valid. */
export function countCardRead(
  { readRateLimit }: Pick<CardRouteContext, 'readRateLimit'>,
  request: FastifyRequest & { readonly params: CardParams },
): string | null {
  readRateLimit.countOrThrow(request);
  const { userID } = request.params;
  return userIdSchema.safeParse(userID).success ? userID : null;
}
