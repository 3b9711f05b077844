import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';

import { changePhone, downloadAccount, endOtherSessions } from '#contract/account.ts';
import { exportCsv, exportVcard } from '#contract/contacts-view.ts';
import { addPasskey, removePasskey, signInWithPasskey } from '#contract/passkey.ts';
import { authenticatePhone, startNewCard, verifyCode } from '#contract/signin.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { ApiError } from '#server/error.ts';

import type { FormatAddress } from './request-log.ts';
import { API_PREFIX } from '#server/http/route.ts';

const OK = 200;
const FORBIDDEN = 403;
const TOO_MANY_REQUESTS = 429;
const SIGN_IN = API_PREFIX + authenticatePhone.path;
const PASSKEY_SIGN_IN = API_PREFIX + signInWithPasskey.path;
const NEW_CARD = API_PREFIX + startNewCard.path;
const VERIFY_CODE = API_PREFIX + verifyCode.path;
/** Events of the same kind and route are combined into at most one line per interval. */
const LINE_INTERVAL_MS = SECOND_MS;

/** The events of successful calls, by route. An operator expects them, so their level is info. */
const EXPECTED_EVENTS = {
  [SIGN_IN]: 'sign_in',
  [PASSKEY_SIGN_IN]: 'sign_in',
  [NEW_CARD]: 'sign_in',
  [API_PREFIX + addPasskey.path]: 'passkey_added',
  [API_PREFIX + removePasskey.path]: 'passkey_removed',
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
  /** The IP address of the most recent event, in the form that LOG_ADDRESS permits. */
  readonly address?: string;
}

/**
 * Logs sign-ins, changes of an account, rejections and reached limits (docs/operate/monitoring.md#log), but never a
 * phone number.
 */
export function logSecurityEvents(
  fastify: FastifyInstance,
  log: FastifyBaseLogger,
  formatAddress: FormatAddress,
): void {
  /** The events since the last line, by event and route. The number of routes bounds its size. */
  const pending = new Map<string, { count: number; last: SecurityEvent }>();

  function write(event: SecurityEvent, count: number): void {
    log[EXPECTED.has(event.event) ? 'info' : 'warn']({ ...event, count }, 'security event');
    const collected = { count: 0, last: event };
    const name = `${event.event} ${event.route}`;
    pending.set(name, collected);
    setTimeout(() => {
      pending.delete(name);
      if (collected.count > 0) write(collected.last, collected.count);
    }, LINE_INTERVAL_MS).unref();
  }

  function addEvent(name: EventName, { client, routeOptions }: FastifyRequest): void {
    const address = formatAddress(client);
    const route = routeOptions.url ?? 'unknown';
    const event = { event: name, route, ...(address === null ? {} : { address }) };
    const collected = pending.get(`${name} ${route}`);
    if (!collected) return write(event, 1);
    collected.count += 1;
    collected.last = event;
  }

  fastify.addHook('onError', async (request, _reply, thrown: Error) => {
    const event = thrown instanceof ApiError && rejectionOf(thrown, request.routeOptions.url);
    if (event) addEvent(event, request);
  });
  fastify.addHook('onRoute', (options) => {
    const event = EXPECTED_EVENTS[options.url];
    if (event === undefined) return;
    options.onResponse = async (request, { statusCode }) => {
      if (statusCode === OK) addEvent(event, request);
    };
  });
}

function rejectionOf({ code, status }: ApiError, route = ''): EventName | null {
  if (code === 'verification_required') return 'verification_rejected';
  if (status === TOO_MANY_REQUESTS) return 'limit_reached';
  // A wrong METRICS_TOKEN is not a rejected session.
  if (status !== FORBIDDEN || !route.startsWith(`${API_PREFIX}/`)) return null;
  if (code === 'passkey_rejected' && route !== PASSKEY_SIGN_IN) return 'verification_rejected';
  const isSignIn = [SIGN_IN, VERIFY_CODE, PASSKEY_SIGN_IN, NEW_CARD].includes(route);
  return isSignIn ? 'sign_in_rejected' : 'session_rejected';
}
