import type { AppContext } from '#server/context.ts';

import { INSTALLED_ICONS } from './icon.ts';

const CACHING = 'public, max-age=3600';
/** The paper of tokens.css, light: a manifest knows one colour. */
const PAPER = '#fbfaf7';

/** What a phone shows when the product is put on its home screen. */
export function manifestRoutes({ fastify, settings }: AppContext): void {
  const manifest = JSON.stringify({
    id: '/dashboard/',
    name: settings.productName,
    short_name: settings.productName,
    description: 'Your digital business card: shared by link or QR code, saved in one tap.',
    start_url: '/dashboard/',
    scope: '/',
    display: 'standalone',
    background_color: PAPER,
    theme_color: PAPER,
    icons: INSTALLED_ICONS.map(({ path, sidePx, purpose }) => ({
      src: path,
      sizes: `${sidePx}x${sidePx}`,
      type: 'image/png',
      purpose,
    })),
  });
  fastify.get('/manifest.webmanifest', (_request, reply) =>
    reply.header('cache-control', CACHING).type('application/manifest+json').send(manifest),
  );
}
