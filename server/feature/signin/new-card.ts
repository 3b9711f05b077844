import type { FastifyRequest } from 'fastify';

import { startNewCard } from '#contract/signin.ts';
import type { AppContext } from '#server/context.ts';
import { takePhoneStatement } from '#server/adapter/otp/dormant.ts';
import {
  deviceCookieHeader,
  deviceCookieValue,
  deviceSubject,
  usesHttps,
} from '#server/adapter/otp/store.ts';
import { startSession } from '#server/adapter/session.ts';
import { readAuthorization, route } from '#server/http/route.ts';

/** Registers the call with which the next holder of a number starts a card (docs/develop/security.md#numbers-that-are-handed-on). */
export function newCardRoute(
  context: AppContext,
  freshCodeHeader: (sessionToken: string, request: FastifyRequest) => string,
): void {
  const { settings, dependencies, providerTokens } = context;
  const { clock, secret } = dependencies;

  route(context, startNewCard, ({ body: { token }, request, reply }) =>
    providerTokens.consume(
      [token ?? readAuthorization(request)],
      { request },
      async ([{ phone, consumeStatement }]) => {
        const dormancy = { dormantDays: settings.dormantDays, now: clock.now() };
        const proof = [consumeStatement, takePhoneStatement(phone, dormancy)];
        const session = await startSession(context, request, { phone, proof, hasOwnDevices: true });
        const subject = { phone: deviceSubject(phone, session._id), deviceId: null };
        const secure = usesHttps(request, settings.publicUrl);
        void reply.header('set-cookie', [
          freshCodeHeader(session.sessionToken, request),
          deviceCookieHeader(deviceCookieValue(secret, subject), secure),
        ]);
        return session;
      },
    ),
  );
}
