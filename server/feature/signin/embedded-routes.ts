import type { FastifyRequest } from 'fastify';

import { ONE_WAY, sendCode, sendOwnerCode, verifyCode } from '#contract/signin.ts';
import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { formatPhone } from '#view/phone-format.ts';
import type { AppContext } from '#server/context.ts';
import { addressPrefixes } from '#server/http/limit/address.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { fixedFile } from '#server/http/stored-response.ts';
import { MemoryRateLimit } from '#server/http/limit/rate-limit.ts';
import { route } from '#server/http/route.ts';
import { sendStored } from '#server/http/send.ts';
import { isSecure, deviceCookieHeader } from '#server/adapter/otp/embedded/device.ts';
import { EMBEDDED_SCRIPT_PATH } from '#server/adapter/otp/embedded/provider.ts';
import { requestCode } from '#server/adapter/otp/embedded/send.ts';
import type { Devices } from '#server/adapter/otp/embedded/send.ts';
import { CODE_LIFE_MS } from '#server/adapter/otp/embedded/store.ts';
import { exchangeCode } from '#server/adapter/otp/embedded/verify.ts';
import { parseLoginPhone } from '#server/adapter/otp/phone.ts';
import { maskPhone } from '#server/adapter/profile/phone.ts';
import { findLoginPhone } from '#server/adapter/profile/store.ts';
import { hasNextGateway } from '#server/adapter/sms/delivery.ts';

/** Then the page offers the next gateway. */
const NEXT_AFTER_SECONDS = 20;

export function embeddedRoutes(context: AppContext): void {
  const { settings } = context;
  const embedded = { ...context, ...createAlarms(context) };

  async function send(phone: string, request: FastifyRequest, replaces: string | null = null) {
    const sent = await requestCode(embedded, {
      phone,
      address: addressPrefixes(request.ip),
      cookies: request.headers.cookie,
      replaces,
    });
    return {
      challenge: sent.challenge,
      phone,
      phoneText: formatPhone(phone),
      resendAfterSeconds: Math.ceil(sent.pauseMs / SECOND_MS),
      lifeSeconds: CODE_LIFE_MS / SECOND_MS,
      codeLength: sent.codeLength,
    };
  }

  const readPhone = ({ appId, phone }: { readonly appId: string; readonly phone: string }) => {
    if (appId === settings.otpAppId) return parseLoginPhone(phone, settings.otpCountries);
    throw new ApiError('invalid_input', 'appId is not the one of this service.');
  };
  if (hasNextGateway(settings))
    route(context, sendCode, async ({ body, request }) => {
      const phone = readPhone(body);
      if (!hasNextGateway(settings, phone)) return send(phone, request);
      // The same whatever the gateways answer (docs/security.md#sms-gateways).
      if (body.replaces !== undefined) return send(phone, request, body.replaces);
      return { ...(await send(phone, request)), nextAfterSeconds: NEXT_AFTER_SECONDS };
    });
  else
    route(context, { ...sendCode, ...ONE_WAY }, async ({ body, request }) =>
      send(readPhone(body), request),
    );

  // Below /api/otp, so that the browser sends the device cookie.
  route(context, sendOwnerCode, async ({ body, request, caller }) => {
    if (body.phone !== undefined) {
      return send(parseLoginPhone(body.phone, settings.otpCountries), request);
    }
    const phone = await findLoginPhone(context.dependencies.database, caller.userId);
    if (phone === null) throw sessionInvalidError();
    const hidden = maskPhone(phone);
    return { ...(await send(phone, request)), phone: hidden, phoneText: hidden };
  });

  route(context, verifyCode, async ({ body, request, reply }) => {
    const { token, deviceCookie } = await exchangeCode(embedded, {
      ...body,
      address: addressPrefixes(request.ip),
      cookies: request.headers.cookie,
    });
    const secure = isSecure(request, settings.publicUrl);
    void reply.header('set-cookie', deviceCookieHeader(deviceCookie, secure));
    return { token };
  });

  serveScript(context);
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
