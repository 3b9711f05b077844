import { qrSvg } from '#view/qr-code.ts';
import { cardPath, qrPath } from '#domain/share.ts';
import { cacheControl, publicRoute } from '#server/http/cache/public-route.ts';
import type { CardKey } from '#server/http/cache/public-route.ts';
import type { AppContext } from '#server/context.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { findProfile } from '#server/adapter/profile/store.ts';

const CACHE_CONTROL = 'max-age=300';

export function printedQrRoute(context: AppContext): void {
  const { dependencies, responses } = context;

  async function render(key: CardKey): Promise<StoredResponse | null> {
    const { userId, origin } = key;
    const profile = await findProfile(dependencies.database, userId);
    if (profile === null) return null;
    const body = qrSvg(`${origin}${cardPath(userId)}`);
    const headers = {
      'content-type': 'image/svg+xml',
      'cache-control': cacheControl(key, CACHE_CONTROL),
    };
    return new StoredResponse({ body, headers });
  }

  publicRoute(context, {
    url: qrPath(':userID'),
    pathOf: qrPath,
    containsOrigin: true,
    respond: (key) => responses.getOrRender(key, () => render(key)),
  });
}
