import { timingSafeEqual } from 'node:crypto';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { addContact } from '#contract/contact.ts';
import { authenticatePhone } from '#contract/signin.ts';
import { API_PREFIX } from '#server/http/route.ts';
import { hashToken } from '#server/token.ts';

import type { Meter } from './meter.ts';

const OK = 200;
const FORBIDDEN = 403;
const SECOND_MS = 1000;
const SIGN_IN = `${API_PREFIX}${authenticatePhone.path}`;
const CONTACT = `${API_PREFIX}${addContact.path}`;

declare module 'fastify' {
  interface FastifyInstance {
    /** Null where nobody asked for metrics. */
    meter: Meter | null;
  }
}

/** Counts every request from now on; with a token, /metrics shows the counts to whoever has it. */
export function metricRoutes(fastify: FastifyInstance, meter: Meter | null, token: string): void {
  fastify.decorate('meter', meter);
  if (!meter) return;
  fastify.addHook('onResponse', async (request, reply) => count(meter, request, reply));
  if (token === '') return;

  fastify.get('/metrics', async (request, reply) => {
    void reply.header('cache-control', 'no-store');
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) {
      return reply.code(FORBIDDEN).type('text/plain').send('METRICS_TOKEN is needed.\n');
    }
    return reply.type(meter.contentType).send(await meter.text());
  });
}

function count(meter: Meter, request: FastifyRequest, reply: FastifyReply): void {
  const status = reply.raw.statusCode;
  // What nobody routes has one name, so that strangers cannot make counters by asking.
  const route = request.routeOptions.url ?? 'none';
  const method = route === 'none' ? 'any' : request.method;
  meter.duration.observe({ method, route, status }, reply.elapsedTime / SECOND_MS);
  if (status !== OK) return;
  if (route === SIGN_IN) meter.signIns.inc();
  if (route === CONTACT) meter.contacts.inc();
}

/** Compares in a time that says nothing of how much is right. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(wanted)));
}
