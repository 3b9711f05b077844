import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

import { SECOND_MS } from '#domain/duration.ts';

import type { LoggedAddress } from './logged-address.ts';
import { API_PREFIX } from './route.ts';

const OK = 200;
const FORBIDDEN = 403;
const TOO_MANY_REQUESTS = 429;
const SIGN_IN = `${API_PREFIX}/user/authenticate/phone`;
const VERIFY_CODE = `${API_PREFIX}/otp/verify`;
/** A flood of one kind of event is one line in this time. */
const LINE_EVERY_MS = SECOND_MS;

type EventName = 'sign_in' | 'sign_in_rejected' | 'session_rejected' | 'limit_reached';

interface SecurityEvent {
  readonly event: EventName;
  /** The pattern of the route, which names the limit without an id. */
  readonly route: string;
  /** The address of the last of them, as LOG_ADDRESS allows. */
  readonly address?: string;
}

interface Options {
  readonly log: FastifyBaseLogger;
  readonly loggedAddress: LoggedAddress;
}

/**
 * Logs sign-ins, rejected sign-ins and sessions, and reached limits (docs/security.md#logs). A line
 * has no phone.
 */
export function logSecurityEvents(fastify: FastifyInstance, { log, loggedAddress }: Options): void {
  /** The events since the last line, by event and route. Their number is that of the routes. */
  const pending = new Map<string, { count: number; last: SecurityEvent }>();

  function write(event: SecurityEvent, count: number): void {
    log[event.event === 'sign_in' ? 'info' : 'warn']({ ...event, count }, 'security event');
  }

  function schedule(name: string): void {
    setTimeout(() => {
      const more = pending.get(name);
      pending.delete(name);
      if (!more || more.count === 0) return;
      write(more.last, more.count);
      pending.set(name, { count: 0, last: more.last });
      schedule(name);
    }, LINE_EVERY_MS).unref();
  }

  function add(event: SecurityEvent): void {
    const name = `${event.event} ${event.route}`;
    const known = pending.get(name);
    if (known) {
      pending.set(name, { count: known.count + 1, last: event });
      return;
    }
    write(event, 1);
    pending.set(name, { count: 0, last: event });
    schedule(name);
  }

  fastify.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const event = eventOf(route, reply.statusCode);
    if (event === null) return;
    const address = loggedAddress(request.ip);
    add({ event, route, ...(address === null ? {} : { address }) });
  });
}

/** Returns the event that a response is, or null for none. */
function eventOf(route: string, status: number): EventName | null {
  if (status === TOO_MANY_REQUESTS) return 'limit_reached';
  if (status === OK) return route === SIGN_IN ? 'sign_in' : null;
  if (status !== FORBIDDEN) return null;
  return route === SIGN_IN || route === VERIFY_CODE ? 'sign_in_rejected' : 'session_rejected';
}
