import type { AppContext } from '#server/context.ts';

import { markSvg } from '#server/html/mark.ts';
import type { Renderer } from '#server/image/renderer.ts';

const CACHING = 'public, max-age=86400';
/** What Android may cut off a maskable icon: a fifth at each side, in the mark's own units. */
const MASK_MARGIN = 8;
const FAVICON_SIDE_PX = 32;

interface Icon {
  readonly path: string;
  readonly sidePx: number;
  readonly corner: number;
  readonly margin: number;
}

const TOUCH_ICON: Icon = { path: '/apple-touch-icon.png', sidePx: 180, corner: 0, margin: 0 };
const FAVICON: Icon = { path: '/favicon.ico', sidePx: FAVICON_SIDE_PX, corner: 7, margin: 0 };

/** What the manifest names. */
export const INSTALLED_ICONS: readonly (Icon & { readonly purpose: 'any' | 'maskable' })[] = [
  { path: '/icon-192.png', sidePx: 192, corner: 7, margin: 0, purpose: 'any' },
  { path: '/icon-512.png', sidePx: 512, corner: 7, margin: 0, purpose: 'any' },
  { path: '/icon-maskable.png', sidePx: 512, corner: 0, margin: MASK_MARGIN, purpose: 'maskable' },
];

/** The product's mark in every shape that browsers ask for. Pictures of pixels are drawn once. */
export function iconRoutes({ fastify, dependencies }: AppContext): void {
  const { renderer } = dependencies;
  fastify.get('/favicon.svg', (_request, reply) =>
    reply.header('cache-control', CACHING).type('image/svg+xml').send(markSvg()),
  );

  for (const icon of [TOUCH_ICON, FAVICON, ...INSTALLED_ICONS]) {
    const isFavicon = icon === FAVICON;
    let drawn: Promise<Buffer> | null = null;
    fastify.get(icon.path, async (_request, reply) => {
      drawn ??= drawIcon(icon, renderer);
      // A failure is not kept.
      drawn.catch(() => (drawn = null));
      const png = await drawn;
      return reply
        .header('cache-control', CACHING)
        .type(isFavicon ? 'image/x-icon' : 'image/png')
        .send(isFavicon ? asIco(png) : png);
    });
  }
}

async function drawIcon(icon: Icon, renderer: Renderer): Promise<Buffer> {
  const { data } = await renderer.render((renderStep) =>
    renderStep({ input: Buffer.from(markSvg(icon)) }),
  );
  return data;
}

/** An ICO file of one picture: a header, one entry, and the PNG as it is. */
function asIco(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // An icon, not a cursor.
  head.writeUInt16LE(1, 4); // One picture.
  head.writeUInt8(FAVICON_SIDE_PX, 6);
  head.writeUInt8(FAVICON_SIDE_PX, 7);
  head.writeUInt16LE(1, 10); // Colour planes.
  head.writeUInt16LE(32, 12); // Bits a pixel.
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
