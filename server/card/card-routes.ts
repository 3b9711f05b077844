import type { FastifyReply, FastifyRequest } from 'fastify';

import { userIdSchema } from '#domain/identifier.ts';
import { cardPath } from '#domain/share.ts';
import { originOf } from '#server/http/origin.ts';
import type { AppContext } from '#server/context.ts';
import { findProfile } from '#server/profile/store.ts';

import { cardPainter } from './card-renderer.ts';
import { chooseEncoding, isKnown } from '#server/http/finished-response.ts';
import type { FinishedResponse } from '#server/http/finished-response.ts';

const OK = 200;
const NOT_MODIFIED = 304;

/** The public card: from memory where it is known, else one row read and drawn. */
export function cardRoutes({
  fastify,
  settings,
  dependencies,
  cards,
  readRateLimit,
}: AppContext): void {
  const renderer = cardPainter(settings, dependencies.web.cardScript);

  fastify.get<{ Params: { userID: string } }>('/user/:userID', async (request, reply) => {
    readRateLimit.count(request);
    const userId = request.params.userID;
    if (!userIdSchema.safeParse(userId).success) return renderer.unknown(reply);
    const path = cardPath(userId);
    const origin = originOf(request, settings.publicUrl);
    const page = await cards.find({ path, origin, now: dependencies.clock.now() }, async () => {
      const profile = await findProfile(dependencies.database, userId);
      return profile && renderer.card(profile, origin, reply);
    });
    return page === null ? renderer.unknown(reply) : sendPage(page, request, reply);
  });
}

/** Sends past the framework's own way out, which costs more than all the rest of a hit. */
async function sendPage(page: FinishedResponse, request: FastifyRequest, reply: FastifyReply) {
  if (isKnown(request.headers['if-none-match'], page.etag)) {
    reply.hijack();
    reply.raw.writeHead(NOT_MODIFIED, page.headers).end();
    return reply;
  }
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  const body = await page.body(encoding);
  reply.hijack();
  // To HEAD Node sends the headers alone.
  reply.raw.writeHead(OK, page.headersFor(encoding, body)).end(body);
  return reply;
}
