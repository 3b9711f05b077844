import type { FastifyReply, FastifyRequest } from 'fastify';

import { userIdSchema } from '#domain/identifier.ts';
import { cardPath } from '#domain/share.ts';
import { originOf } from '#server/http/origin.ts';
import type { House } from '#server/http/route.ts';
import { findProfile } from '#server/user/store.ts';

import { cardPainter } from './card-painter.ts';
import { chooseEncoding, isKnown } from './finished-page.ts';
import type { FinishedPage } from './finished-page.ts';

const OK = 200;
const NOT_MODIFIED = 304;

/** The public card: from memory where it is known, else one row read and drawn. */
export function cardRoutes({ fastify, settings, parts, cards, reading }: House): void {
  const painter = cardPainter(settings, parts.web.cardScript);

  fastify.get<{ Params: { userID: string } }>('/user/:userID', async (request, reply) => {
    reading.count(request);
    const userId = request.params.userID;
    if (!userIdSchema.safeParse(userId).success) return painter.unknown(reply);
    const path = cardPath(userId);
    const origin = originOf(request, settings);
    const page = await cards.find({ path, origin, now: parts.clock.now() }, async () => {
      const profile = await findProfile(parts.database, userId);
      return profile && painter.card(profile, origin, reply);
    });
    return page === null ? painter.unknown(reply) : sendPage(page, request, reply);
  });
}

/** Sends past the framework's own way out, which costs more than all the rest of a hit. */
async function sendPage(page: FinishedPage, request: FastifyRequest, reply: FastifyReply) {
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
