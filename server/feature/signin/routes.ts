import type { FastifyRequest } from 'fastify';

import type { Endpoint } from '#contract/endpoint.ts';
import {
  SINGLE_CHANNEL_CODE,
  authenticatePhone,
  sendCode,
  sendOwnerCode,
  verifyCode,
} from '#contract/signin.ts';
import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { CODE_LIFE_MS } from '#domain/signin.ts';
import { formatPhone } from '#view/phone-format.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { addressPrefixes } from '#server/http/proxy.ts';
import { MemoryRateLimit } from '#server/http/limit.ts';
import { readAuthorization, route } from '#server/http/route.ts';
import type { Call, KnownDevices } from '#server/http/route.ts';
import { fixedFile, sendStored } from '#server/http/stored-response.ts';
import { exchangeCode, requestCode } from '#server/adapter/otp/code.ts';
import type { CodeRequest, Devices } from '#server/adapter/otp/code.ts';
import { requireUsedStatements } from '#server/adapter/otp/dormant.ts';
import { parseLoginPhone, toE164 } from '#server/adapter/otp/phone.ts';
import { EMBEDDED_SCRIPT_PATH } from '#server/adapter/otp/providers.ts';
import {
  deviceCookieHeader,
  findChallenge,
  findKnownDevice,
  hasDeviceCookie,
  usesHttps,
} from '#server/adapter/otp/store.ts';
import { freshCodeTicket, newCookieTicket } from '#server/adapter/otp/ticket.ts';
import { maskPhone } from '#server/adapter/profile/phone.ts';
import { findLoginPhone } from '#server/adapter/profile/store.ts';
import { startSession } from '#server/adapter/session.ts';
import { hasNextGateway, waysOf } from '#server/adapter/sms/delivery.ts';
import { TOKEN_FORM, hashToken } from '#server/token.ts';

import { newCardRoute } from './new-card.ts';
import { oidcRoutes } from './oidc.ts';

export function signinRoutes(context: AppContext): void {
  const { settings, dependencies, providerTokens } = context;
  const { clock, provider } = dependencies;
  const { kind } = provider.client;

  const freshCodeHeader = (sessionToken: string, request: FastifyRequest) =>
    newCookieTicket(context, request, freshCodeTicket(hashToken(sessionToken))).header;

  route(context, authenticatePhone, async ({ request, reply }) => {
    const token = readAuthorization(request);
    return providerTokens.consume(
      [token],
      { request },
      async ([{ phone, subject, isFirst, consumeStatement }]) => {
        const { dormantDays } = settings;
        const code = { phone, token: token ?? '', dormantDays, now: clock.now() };
        const used = dormantDays > 0 ? requireUsedStatements(code) : [];
        const proof = [...used, consumeStatement];
        const session = await startSession(context, request, { phone, subject, proof });
        // Until the account is bound, whoever signs in as this person gets it anyway.
        if (kind !== 'oidc' || isFirst)
          void reply.header('set-cookie', freshCodeHeader(session.sessionToken, request));
        return session;
      },
    );
  });

  if (settings.dormantDays > 0) newCardRoute(context, freshCodeHeader);
  if (kind === 'embedded') embeddedRoutes(context);
  if (kind === 'oidc') oidcRoutes(context);
}

type Exchange = Pick<Call<Endpoint>, 'request' | 'reply'>;

const SIGN_IN = { replaces: null, isNewPhone: false };
const NEW_PHONE = { isNewPhone: true };
type Purpose = Partial<Pick<CodeRequest, 'replaces' | 'isNewPhone'>>;

/** After this time the page offers to send the code through the next gateway. */
const NEXT_GATEWAY_AFTER_SECONDS = 20;

function embeddedRoutes(context: AppContext): void {
  const { settings } = context;
  const otpContext = { ...context, ...createAlarms(context) };
  const openContext = { ...context, knownDevices: createKnownDevices(context) };

  async function send(phone: string, { request, reply }: Exchange, purpose: Purpose = {}) {
    const sent = await requestCode(otpContext, {
      phone,
      ...SIGN_IN,
      ...purpose,
      address: addressPrefixes(request.ip),
      cookies: request.headers.cookie,
      // The code is sent even if the browser has already left.
      afterReply: (task) => (reply.raw.closed ? task() : void reply.raw.once('close', task)),
    });
    return {
      challenge: sent.challenge,
      phone,
      phoneText: formatPhone(phone),
      resendAfterSeconds: Math.ceil(sent.pauseMs / SECOND_MS),
      lifeSeconds: CODE_LIFE_MS / SECOND_MS,
      codeLength: sent.codeLength,
      ...waysOf(settings, phone, purpose.replaces !== undefined),
      ...(sent.mayArrive && { mayArrive: true }),
    };
  }

  const readPhone = ({ appId, phone }: { readonly appId: string; readonly phone: string }) => {
    if (appId === settings.otpAppId) return parseLoginPhone(phone, settings.otpCountries);
    throw new ApiError('invalid_input', 'appId is not the one of this service.');
  };
  if (hasNextGateway(settings))
    route(openContext, sendCode, async ({ body, ...exchange }) => {
      const phone = readPhone(body);
      if (!hasNextGateway(settings, phone)) return send(phone, exchange);
      // The reply is the same whatever the gateways answer (docs/develop/security.md#sms-gateways).
      if (body.replaces !== undefined) return send(phone, exchange, { replaces: body.replaces });
      return { ...(await send(phone, exchange)), nextAfterSeconds: NEXT_GATEWAY_AFTER_SECONDS };
    });
  else
    route(openContext, { ...sendCode, ...SINGLE_CHANNEL_CODE }, async ({ body, ...exchange }) =>
      send(readPhone(body), exchange),
    );

  // This call is below /api/otp, so that the browser sends the device cookie.
  route(context, sendOwnerCode, async ({ body, caller, ...exchange }) => {
    if (body.phone !== undefined)
      return send(parseLoginPhone(body.phone, settings.otpCountries), exchange, NEW_PHONE);
    const phone = await requireLoginPhone(context, caller.userId);
    const maskedPhone = maskPhone(phone);
    return { ...(await send(phone, exchange)), phone: maskedPhone, phoneText: maskedPhone };
  });

  route(openContext, verifyCode, async ({ body, request, reply }) => {
    const { token, deviceCookie } = await exchangeCode(otpContext, {
      ...body,
      address: addressPrefixes(request.ip),
      cookies: request.headers.cookie,
    });
    const secure = usesHttps(request, settings.publicUrl);
    if (deviceCookie !== null)
      void reply.header('set-cookie', deviceCookieHeader(deviceCookie, secure));
    return { token };
  });

  serveScript(context);
}

/** Throws ApiError 'phone_refused' if another account has taken the number of this one. */
async function requireLoginPhone({ settings, dependencies }: AppContext, userId: string) {
  const phone = await findLoginPhone(dependencies.database, userId);
  if (phone === null) throw sessionInvalidError();
  if (phone !== userId) return phone;
  throw new ApiError(
    'phone_refused',
    `Your account has no login phone. Use a passkey, or write to ${settings.supportEmail}.`,
  );
}

/**
 * Recognises devices that have signed in before, so that junk from other phones behind the same IP address
 * does not keep them out.
 */
function createKnownDevices({ settings, dependencies }: AppContext): KnownDevices {
  const { database, clock, secret } = dependencies;
  const phoneOf = async (body: unknown) => {
    const { phone, challenge } = Object(body) as Readonly<Record<string, unknown>>;
    if (typeof phone === 'string') return toE164(phone, settings.otpCountries);
    if (typeof challenge !== 'string' || !TOKEN_FORM.test(challenge)) return null;
    return (await findChallenge(database, challenge, clock.now()))?.phone ?? null;
  };
  return {
    hasCookie: ({ headers }) => hasDeviceCookie(headers.cookie),
    isKnown: async ({ body, headers }) => {
      const phone = await phoneOf(body);
      if (phone === null) return false;
      return (await findKnownDevice(database, headers.cookie, { secret, phone })) !== null;
    },
  };
}

/** Each alarm is logged at most once an hour. */
function createAlarms({ dependencies, sendCapAlarms }: AppContext) {
  const { log, clock } = dependencies;
  const logLimit = new MemoryRateLimit({ clock, max: 1, windowMs: HOUR_MS });
  return {
    raiseFailureAlarm: (failuresPerHourMax: number) => {
      if (!logLimit.count('failures')) return;
      log.warn(
        { event: 'otp_failure_alarm', failuresPerHourMax },
        'many wrong codes for all phones together; nobody is rejected because of it',
      );
    },
    raiseSendCapAlarm: (devices: Devices, sendsPerDayMax: number) => {
      sendCapAlarms?.inc({ devices });
      if (!logLimit.count(devices)) return;
      log.warn(
        { event: 'otp_send_cap', devices, sendsPerDayMax },
        'OTP_SENDS_PER_DAY is reached: these devices get no code until the day has passed',
      );
    },
  };
}

/** The path of the widget's script has no version, so browsers revalidate it after 5 minutes. */
function serveScript({ fastify, dependencies }: AppContext): void {
  const type = 'text/javascript; charset=utf-8';
  const script = fixedFile(dependencies.web.loginScript, [type, 'public, max-age=300']);
  fastify.get(EMBEDDED_SCRIPT_PATH, (request, reply) => sendStored(request, reply, script));
}
