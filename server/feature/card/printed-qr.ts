import { createQrCode, qrViewBox } from '#view/qr-code.ts';
import { cardPath, qrPath } from '#domain/share.ts';
import { publicRoute } from '#server/adapter/cache/public-route.ts';
import type { CardKey } from '#server/adapter/cache/public-route.ts';
import type { AppContext } from '#server/context.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { findProfile } from '#server/adapter/profile/store.ts';

const HEADERS = { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=300' };

/** Registers the QR code of a card's address, which its page shows in print. */
export function printedQrRoute(context: AppContext): void {
  const { dependencies, responses } = context;

  async function render({ userId, origin }: CardKey): Promise<FinishedResponse | null> {
    const profile = await findProfile(dependencies.database, userId);
    if (profile === null) return null;
    const code = createQrCode(`${origin}${cardPath(userId)}`);
    const body =
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${qrViewBox(code)}">` +
      `<path d="${code.path}" fill="#000"/></svg>`;
    return new FinishedResponse({ body, headers: HEADERS });
  }

  publicRoute(context, {
    url: qrPath(':userID'),
    pathOf: qrPath,
    containsOrigin: true,
    respond: (key) => responses.getOrRender(key, () => render(key)),
  });
}
