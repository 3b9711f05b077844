import { PATHS } from '#domain/path.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError, tokenInvalidError, unavailableError } from '#server/error.ts';
import { Limiter, createVisitRateLimit } from '#server/http/limit.ts';
import { originOf } from '#server/http/proxy.ts';
import { Issuer } from '#server/adapter/otp/oidc.ts';
import {
  RETURNS,
  bindToken,
  flowCookieHeader,
  newFlow,
  readFlow,
} from '#server/adapter/otp/oidc-flow.ts';
import { createTokenLimit } from '#server/adapter/otp/provider-tokens.ts';
import { saveTokenStatement, usesHttps } from '#server/adapter/otp/store.ts';
import { newToken } from '#server/token.ts';

const CALLBACK = `${PATHS.oidc}/callback`;
/** Visits above this number fail at once instead of waiting for a slow issuer. */
const VISITS_MAX = 16;

/** Leads people to the company's login and back (docs/develop/security.md#a-companys-own-login). */
export function oidcRoutes({ fastify, settings, dependencies }: AppContext): void {
  const { database, clock, secret, log } = dependencies;
  const issuer = new Issuer(settings, secret);
  const rejected = createTokenLimit(clock);
  const visitLimit = createVisitRateLimit(clock);
  const visits = new Limiter({
    runningMax: VISITS_MAX,
    waitingMax: 0,
    createError: () => unavailableError('Many people are signing in right now. Try again.'),
  });

  fastify.get(PATHS.oidc, async (request, reply) => {
    visitLimit.countOrThrow(request.client.prefix64);
    const { from } = request.query as { readonly from?: unknown };
    const flow = newFlow(RETURNS.find((one) => one === from) ?? 'login', clock.now());
    const { href } = new URL(CALLBACK, originOf(request, settings.publicUrl));
    const url = await visits.run(() => issuer.authorizationUrl(flow, href));
    const cookie = flowCookieHeader(flow, usesHttps(request, settings.publicUrl));
    void reply.headers({ 'set-cookie': cookie, 'cache-control': 'no-store' });
    return reply.redirect(url.href);
  });

  fastify.get(CALLBACK, async (request, reply) => {
    const { query, headers, client } = request;
    const { state } = query as { readonly state?: unknown };
    rejected.check(client);
    const flow = readFlow(state, headers.cookie, clock.now());
    if (flow === null) throw tokenInvalidError();
    const url = new URL(request.url, originOf(request, settings.publicUrl));
    const person = await visits
      .run(() => issuer.identify(flow, url))
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'token_invalid') {
          rejected.count(client);
          log.warn(
            { event: 'oidc_rejected', reason: String(error.cause) },
            'a sign-in was rejected',
          );
        }
        throw error;
      });
    const token = person === null ? '' : newToken();
    if (person !== null) {
      const { returnTo } = flow;
      const isFresh = person.isFresh && returnTo !== 'login';
      const bound = bindToken(token, headers.cookie);
      await database.run(
        saveTokenStatement({ ...person, isFresh, token: bound, now: clock.now() }),
      );
    }
    return reply
      .header('cache-control', 'no-store')
      .redirect(`${PATHS[flow.returnTo]}#token=${token}`);
  });
}
