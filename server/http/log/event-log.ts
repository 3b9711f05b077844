import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

import { changePhone, downloadAccount, endOtherSessions } from '#contract/account.ts';
import { exportCsv, exportVcard } from '#contract/contacts-view.ts';
import { authenticatePhone, verifyCode } from '#contract/signin.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { ApiError } from '#server/error.ts';

import type { FormatAddress } from './request-log.ts';
import { API_PREFIX } from '#server/http/route.ts';

const OK = 200;
const FORBIDDEN = 403;
const TOO_MANY_REQUESTS = 429;
const SIGN_IN = API_PREFIX + authenticatePhone.path;
const VERIFY_CODE = API_PREFIX + verifyCode.path;
/** Events of the same kind and route are combined: at most one line per interval. */
const LINE_EVERY_MS = SECOND_MS;

/** The event of a successful call. An operator expects them, so they are at the level info. */
const EXPECTED_EVENTS = {
  [SIGN_IN]: 'sign_in',
  [API_PREFIX + changePhone.path]: 'phone_changed',
  [API_PREFIX + endOtherSessions.path]: 'sessions_ended',
  [API_PREFIX + downloadAccount.path]: 'account_downloaded',
  [API_PREFIX + exportCsv.path]: 'contacts_exported',
  [API_PREFIX + exportVcard.path]: 'contacts_exported',
} as const;

type ExpectedEvent = (typeof EXPECTED_EVENTS)[string];
type EventName =
  | ExpectedEvent
  | 'sign_in_rejected'
  | 'session_rejected'
  | 'verification_rejected'
  | 'limit_reached';

const EXPECTED: ReadonlySet<EventName> = new Set(Object.values(EXPECTED_EVENTS));

interface SecurityEvent {
  readonly event: EventName;
  readonly route: string;
  /** The address of the most recent event, as LOG_ADDRESS allows. */
  readonly address?: string;
}

interface Options {
  readonly log: FastifyBaseLogger;
  readonly formatAddress: FormatAddress;
}

/**
 * Sign-ins, changes of an account, rejections and reached limits (docs/operating.md#log), without a
 * phone.
 */
export function logSecurityEvents(fastify: FastifyInstance, { log, formatAddress }: Options): void {
  /** The events since the last line, by event and route. Bounded by the number of routes. */
  const pending = new Map<string, { count: number; last: SecurityEvent }>();

  function write(event: SecurityEvent, count: number): void {
    log[EXPECTED.has(event.event) ? 'info' : 'warn']({ ...event, count }, 'security event');
    const more = { count: 0, last: event };
    const name = `${event.event} ${event.route}`;
    pending.set(name, more);
    setTimeout(() => {
      pending.delete(name);
      if (more.count > 0) write(more.last, more.count);
    }, LINE_EVERY_MS).unref();
  }

  function add(event: SecurityEvent): void {
    const more = pending.get(`${event.event} ${event.route}`);
    if (!more) return write(event, 1);
    more.count += 1;
    more.last = event;
  }

  const rejectedVerifications = new WeakSet<FastifyRequest>();
  fastify.addHook('onError', async (request, _reply, thrown: Error) => {
    const isRejected = thrown instanceof ApiError && thrown.code === 'verification_required';
    if (isRejected) rejectedVerifications.add(request);
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const event = rejectedVerifications.has(request)
      ? 'verification_rejected'
      : eventOf(route, reply.statusCode);
    if (event === null) return;
    const address = formatAddress(request.ip);
    add({ event, route, ...(address === null ? {} : { address }) });
  });
}

function eventOf(route: string, status: number): EventName | null {
  if (status === TOO_MANY_REQUESTS) return 'limit_reached';
  if (status === OK) return EXPECTED_EVENTS[route] ?? null;
  // A wrong METRICS_TOKEN is not a rejected session.
  if (status !== FORBIDDEN || !route.startsWith(`${API_PREFIX}/`)) return null;
  return route === SIGN_IN || route === VERIFY_CODE ? 'sign_in_rejected' : 'session_rejected';
}
