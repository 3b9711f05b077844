import { sendCode, verifyCode } from '#contract/signin.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { AppContext } from '#server/context.ts';
import { addressKey } from '#server/http/address.ts';
import { ApiError } from '#server/http/api-error.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { route } from '#server/http/route.ts';
import { sendFinished } from '#server/http/send.ts';
import { CODE_LIFE_MS } from '#server/otp/embedded/limits.ts';
import { EMBEDDED_SCRIPT_PATH } from '#server/otp/embedded/provider.ts';
import { requestCode } from '#server/otp/embedded/send.ts';
import { exchangeCode } from '#server/otp/embedded/verify.ts';
import { parseLoginPhone } from '#server/otp/phone.ts';

/** The calls and the script of the embedded login provider. */
export function embeddedRoutes(context: AppContext): void {
  const { settings } = context;

  route(context, sendCode, async ({ body, request }) => {
    if (body.appId !== settings.otpAppId) {
      throw new ApiError('invalid_input', 'appId is not the one of this service.');
    }
    const phone = parseLoginPhone(body.phone, settings.otpCountries);
    const sent = await requestCode(context, { phone, address: addressKey(request.ip) });
    return {
      challenge: sent.challenge,
      phone,
      resendAfterSeconds: sent.pauseMs / SECOND_MS,
      lifeSeconds: CODE_LIFE_MS / SECOND_MS,
    };
  });

  route(context, verifyCode, async ({ body }) => ({ token: await exchangeCode(context, body) }));

  serveScript(context);
}

/** The widget's script. Its path has no version, so browsers revalidate it after 5 minutes. */
function serveScript({ fastify, dependencies }: AppContext): void {
  const script = new FinishedResponse({
    body: dependencies.web.loginScript,
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
    },
  });
  fastify.get(EMBEDDED_SCRIPT_PATH, (request, reply) => sendFinished(request, reply, script));
}
