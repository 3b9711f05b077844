import {
  ADD_CONTACT_PATH,
  QR_SCREEN_PATH,
  SHARED_FILE_FIELD,
  SHARE_TARGET_PATH,
  VCARD_TYPES,
} from '#domain/share.ts';
import type { AppContext } from '#server/context.ts';
import type { Settings } from '#server/settings/settings.ts';
import { PAPER } from '#server/adapter/html/product-logo.ts';
import { bytesOf } from '#server/adapter/html/web-files.ts';
import { fixedFile } from '#server/http/stored-response.ts';

import touchIcon from './icon/apple-touch-icon.png?inline';
import favicon from './icon/favicon.ico?inline';
import icon192 from './icon/icon-192.png?inline';
import icon512 from './icon/icon-512.png?inline';
import maskableIcon from './icon/icon-maskable.png?inline';
import { serveFile } from './static-files.ts';

const ICON_CACHE_CONTROL = 'public, max-age=86400';
const MANIFEST_CACHE_CONTROL = 'public, max-age=3600';

const ICONS = [
  { path: '/apple-touch-icon.png', dataUrl: touchIcon },
  { path: '/favicon.ico', dataUrl: favicon, type: 'image/x-icon' },
  { path: '/icon-192.png', dataUrl: icon192 },
  { path: '/icon-512.png', dataUrl: icon512 },
  { path: '/icon-maskable.png', dataUrl: maskableIcon },
];

export function manifestRoutes(context: AppContext): void {
  serveFile(context, '/manifest.webmanifest', createManifest(context.settings));
  for (const { path, dataUrl, type = 'image/png' } of ICONS) {
    serveFile(context, path, fixedFile(bytesOf(dataUrl), [type, ICON_CACHE_CONTROL]));
  }
}

function createManifest({ productName, views }: Settings) {
  const hasContacts = views.has('contacts');
  const icons = [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ];
  const body = JSON.stringify({
    id: '/dashboard/',
    name: productName,
    short_name: productName,
    description: 'Your digital business card: shared by link or QR code, saved in one tap.',
    start_url: '/dashboard/',
    scope: '/',
    display: 'standalone',
    // A manifest cannot have other colours for dark mode.
    background_color: PAPER,
    theme_color: PAPER,
    icons,
    shortcuts: [
      {
        name: 'Show QR code',
        short_name: 'QR code',
        url: QR_SCREEN_PATH,
        icons: icons.slice(0, 1),
      },
      ...(hasContacts
        ? [{ name: 'Add contact', url: ADD_CONTACT_PATH, icons: icons.slice(0, 1) }]
        : []),
    ],
    ...(hasContacts && {
      share_target: {
        action: SHARE_TARGET_PATH,
        method: 'POST',
        enctype: 'multipart/form-data',
        params: { files: [{ name: SHARED_FILE_FIELD, accept: VCARD_TYPES }] },
      },
    }),
  });
  return fixedFile(body, ['application/manifest+json; charset=utf-8', MANIFEST_CACHE_CONTROL]);
}
