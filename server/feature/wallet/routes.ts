import { getGoogleWalletLink } from '#contract/wallet.ts';
import { cardAddressPath } from '#domain/card-address.ts';
import { cardPath, passPath } from '#domain/share.ts';
import type { AppContext } from '#server/context.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import type { CardKey } from '#server/http/cache/public-route.ts';
import { rateLimitKey } from '#server/http/limit/address.ts';
import { ApiError, cardNotFoundError } from '#server/error.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { originOf } from '#server/http/proxy.ts';
import { route } from '#server/http/route.ts';
import { Limiter } from '#server/http/limit/limiter.ts';
import { findOwnAddress } from '#server/adapter/profile/card-address.ts';
import { findCard } from '#server/adapter/profile/card.ts';

import { describeApplePass, createPassSigner } from './apple-pass.ts';
import { createGoogleLink } from './google-link.ts';

// At once, signed and waiting (docs/security.md#limits). Without PUBLIC_URL each Host header has a pass
// of its own, so one client or one card could fill the queue of the signer.
const PASSES_PER_ADDRESS_MAX = 2;
const PASSES_PER_CARD_MAX = 2;
const RETRY_AFTER_SECONDS = 5;

export function walletRoutes(context: AppContext): void {
  const { applePassTypeId, googleWalletIssuerId } = context.settings;
  if (applePassTypeId) applePassRoute(context);
  if (googleWalletIssuerId) googleLinkRoute(context);
}

/** Public, since a phone opens a pass only by its URL. Signed once per version and origin. */
function applePassRoute(context: AppContext): void {
  const { fastify, settings, dependencies, responses } = context;
  const signer = createPassSigner();
  fastify.addHook('onClose', () => signer.close());
  const createError = tooManyPasses;
  const perAddress = new Limiter({
    runningMax: PASSES_PER_ADDRESS_MAX,
    waitingMax: 0,
    createError,
  });
  const perCard = new Limiter({ runningMax: PASSES_PER_CARD_MAX, waitingMax: 0, createError });

  async function render(key: CardKey): Promise<StoredResponse | null> {
    const { userId, origin } = key;
    const card = await findCard(dependencies.database, userId, context.brand);
    if (!card) return null;
    const shown = { ...card, ...(await findLinks(context, userId, origin)) };
    return toResponse(key, await signer.sign(describeApplePass(settings, shown)));
  }

  publicRoute(context, {
    url: passPath(':userID'),
    pathOf: passPath,
    containsOrigin: true,
    respond: (key, { ip }) =>
      responses.getOrRender(key, () =>
        perAddress.run(() => perCard.run(() => render(key), key.userId), rateLimitKey(ip)),
      ),
  });
}

/** The QR code keeps the id when the address changes. */
async function findLinks({ dependencies }: AppContext, userId: string, origin: string) {
  const { name } = await findOwnAddress(dependencies.database, userId);
  const linkText = name === null ? '' : `${origin}${cardAddressPath(name)}`;
  return { link: `${origin}${cardPath(userId)}`, linkText };
}

function tooManyPasses(): ApiError {
  return new ApiError('too_many_requests', 'Too many passes at once. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function toResponse(key: CardKey, body: Buffer): StoredResponse {
  return new StoredResponse({
    body,
    headers: {
      'content-type': 'application/vnd.apple.pkpass',
      'content-disposition': 'attachment; filename="card.pkpass"',
      'cache-control': key.isShareable ? 'no-cache' : 'private, no-cache',
    },
  });
}

function googleLinkRoute(context: AppContext): void {
  const { settings, dependencies } = context;
  route(context, getGoogleWalletLink, async ({ caller, request }) => {
    const card = await findCard(dependencies.database, caller.userId, context.brand);
    if (!card) throw cardNotFoundError();
    const links = await findLinks(context, caller.userId, originOf(request, settings.publicUrl));
    const now = dependencies.clock.now();
    return { url: await createGoogleLink(settings, { ...card, ...links, now }) };
  });
}
