import { QR_SCREEN_PATH } from '#domain/share.ts';
import type { AppContext } from '#server/context.ts';
import { PAPER, markSvg } from '#server/adapter/html/mark.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';
import { sendFinished } from '#server/http/send.ts';
import type { Renderer } from '#server/adapter/image/renderer.ts';
import { limitFiles } from './static-files.ts';
import { lazy } from '#server/http/cache/lazy.ts';

const ICON_CACHE_CONTROL = 'public, max-age=86400';
const MANIFEST_CACHE_CONTROL = 'public, max-age=3600';
/** In units of the mark. Android may cut it off. */
const MASK_MARGIN = 8;
const FAVICON_SIDE_PX = 32;
/** The ICO header (6 bytes) and its one entry (16 bytes). */
const ICO_HEADER_BYTES = 22;

interface Icon {
  readonly path: string;
  readonly sidePx: number;
  readonly corner: number;
  readonly margin: number;
}

const TOUCH_ICON: Icon = { path: '/apple-touch-icon.png', sidePx: 180, corner: 0, margin: 0 };
const FAVICON: Icon = { path: '/favicon.ico', sidePx: FAVICON_SIDE_PX, corner: 7, margin: 0 };

const MANIFEST_ICONS: readonly (Icon & { readonly purpose: 'any' | 'maskable' })[] = [
  { path: '/icon-192.png', sidePx: 192, corner: 7, margin: 0, purpose: 'any' },
  { path: '/icon-512.png', sidePx: 512, corner: 7, margin: 0, purpose: 'any' },
  { path: '/icon-maskable.png', sidePx: 512, corner: 0, margin: MASK_MARGIN, purpose: 'maskable' },
];

/** Each icon is rendered at its first request. */
export function iconRoutes(context: AppContext): void {
  const { fastify, settings, dependencies } = context;
  const limits = limitFiles(context);
  const manifest = createManifest(settings.productName);
  fastify.get('/manifest.webmanifest', limits, (request, reply) =>
    sendFinished(request, reply, manifest),
  );
  for (const icon of [TOUCH_ICON, FAVICON, ...MANIFEST_ICONS]) {
    const rendered = lazy(() => renderIcon(icon, dependencies.renderer));
    fastify.get(icon.path, limits, async (request, reply) =>
      sendFinished(request, reply, await rendered()),
    );
  }
}

function createManifest(productName: string): FinishedResponse {
  const icons = MANIFEST_ICONS.map(({ path, sidePx, purpose }) => ({
    src: path,
    sizes: `${sidePx}x${sidePx}`,
    type: 'image/png',
    purpose,
  }));
  const body = JSON.stringify({
    id: '/dashboard/',
    name: productName,
    short_name: productName,
    description: 'Your digital business card: shared by link or QR code, saved in one tap.',
    start_url: '/dashboard/',
    scope: '/',
    display: 'standalone',
    // A manifest has one colour, without a dark mode.
    background_color: PAPER,
    theme_color: PAPER,
    icons,
    shortcuts: [
      {
        name: 'Show QR code',
        short_name: 'QR code',
        url: QR_SCREEN_PATH,
        // For platforms that require an icon.
        icons: icons.slice(0, 1),
      },
    ],
  });
  const type = 'application/manifest+json; charset=utf-8';
  return new FinishedResponse({
    body,
    isFixed: true,
    headers: { 'content-type': type, 'cache-control': MANIFEST_CACHE_CONTROL },
  });
}

async function renderIcon(icon: Icon, renderer: Renderer): Promise<FinishedResponse> {
  const input = Buffer.from(markSvg(icon));
  const { data } = await renderer.render((renderImage) => renderImage({ input }));
  const isFavicon = icon === FAVICON;
  return new FinishedResponse({
    body: isFavicon ? toIco(data) : data,
    headers: {
      'content-type': isFavicon ? 'image/x-icon' : 'image/png',
      'cache-control': ICON_CACHE_CONTROL,
    },
  });
}

/** A header, one entry, and the PNG. */
function toIco(png: Buffer): Buffer {
  const header = Buffer.alloc(ICO_HEADER_BYTES);
  header.writeUInt16LE(1, 2); // An icon, not a cursor.
  header.writeUInt16LE(1, 4); // One picture.
  header.writeUInt8(FAVICON_SIDE_PX, 6);
  header.writeUInt8(FAVICON_SIDE_PX, 7);
  header.writeUInt16LE(1, 10); // Colour planes.
  header.writeUInt16LE(32, 12); // Bits per pixel.
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
