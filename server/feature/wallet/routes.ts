import { getGoogleWalletLink } from '#contract/wallet.ts';
import { cardAddressPath } from '#domain/card-address.ts';
import { cardPath, passPath } from '#domain/share.ts';
import type { AppContext } from '#server/context.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import type { CardKey } from '#server/http/cache/public-route.ts';
import { ApiError, cardNotFoundError } from '#server/error.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { originOf } from '#server/http/proxy.ts';
import { route } from '#server/http/route.ts';
import { Limiter } from '#server/http/limit.ts';
import { findOwnAddress } from '#server/adapter/profile/card-address.ts';
import { findCard } from '#server/adapter/profile/card.ts';

import { describeApplePass, createPassSigner } from './apple-pass.ts';
import { createGoogleLink } from './google-link.ts';

// These limits count running and waiting passes together (docs/develop/security.md#limits). Without PUBLIC_URL
// each Host header gets a pass of its own, so one client or one card could fill the signer's queue.
const PASSES_PER_ADDRESS_MAX = 2;
const PASSES_PER_CARD_MAX = 2;
const RETRY_AFTER_SECONDS = 5;

export function walletRoutes(context: AppContext): void {
  const { applePassTypeId, googleWalletIssuerId } = context.settings;
  if (applePassTypeId) applePassRoute(context);
  if (googleWalletIssuerId) googleLinkRoute(context);
}

const createLimiter = (runningMax: number) =>
  new Limiter({ runningMax, waitingMax: 0, createError: tooManyPassesError });

/** The route is public, because a phone opens a pass only by its URL. */
function applePassRoute(context: AppContext): void {
  const { fastify, settings, dependencies, responses } = context;
  const signer = createPassSigner();
  fastify.addHook('onClose', () => signer.close());
  const perAddress = createLimiter(PASSES_PER_ADDRESS_MAX);
  const perCard = createLimiter(PASSES_PER_CARD_MAX);

  async function render(key: CardKey): Promise<StoredResponse | null> {
    const { userId, origin } = key;
    const card = await findCard(dependencies.database, userId, context.brand);
    if (!card) return null;
    const linkedCard = { ...card, ...(await findLinks(context, userId, origin)) };
    return toResponse(key, await signer.sign(describeApplePass(settings, linkedCard)));
  }

  publicRoute(context, {
    url: passPath(':userID'),
    pathOf: passPath,
    containsOrigin: true,
    respond: (key, { client }) =>
      responses.getOrRender(key, () =>
        perAddress.run(() => perCard.run(() => render(key), key.userId), client.prefix64),
      ),
  });
}

/** The QR code contains the id, because the name in the card's address can change. */
async function findLinks({ dependencies }: AppContext, userId: string, origin: string) {
  const { name } = await findOwnAddress(dependencies.database, userId);
  const linkText = name === null ? '' : `${origin}${cardAddressPath(name)}`;
  return { link: `${origin}${cardPath(userId)}`, linkText };
}

function tooManyPassesError(): ApiError {
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
