import * as z from 'zod/mini';

import { HUE_MAX, LOOKS } from '#domain/appearance.ts';
import { LOGO_SIZE_BYTES_MAX } from '#domain/logo.ts';

import { ownerCall } from './endpoint.ts';
import type { Reply } from './endpoint.ts';
import { PHOTO_PALETTE_HEADER } from './user.ts';

const HUE_RANGE = `must be a whole number from 0 to ${HUE_MAX}, or null`;
const hue = z._default(
  z.nullable(
    z.number(HUE_RANGE).check(z.int(HUE_RANGE), z.gte(0, HUE_RANGE), z.lte(HUE_MAX, HUE_RANGE)),
  ),
  null,
);

const appearanceReply = z.object({
  palette: z.enum(LOOKS),
  hue,
  logo: z._default(z.nullable(z.string()), null),
});

const etag = { ETag: 'The version of the appearance' };

export const getAppearance = ownerCall({
  method: 'GET',
  path: '/user/:id/appearance',
  summary: 'How the card looks: the palette that its owner has chosen, a hue, and a logo',
  replyHeaders: {
    ...etag,
    [PHOTO_PALETTE_HEADER]: 'The number of the palette that the photo gives, if it is known',
  },
  reply: appearanceReply,
});

export type AppearanceReply = Reply<typeof getAppearance>;

export const updateAppearance = ownerCall({
  method: 'POST',
  path: '/user/:id/appearance',
  summary: "Choose the palette: by the photo, by the id, quiet, or of one's own hue",
  body: z.object({ palette: z.enum(LOOKS, `must be one of ${LOOKS.join(', ')}`), hue }).check(
    z.refine((one) => one.palette !== 'own' || one.hue !== null, {
      error: HUE_RANGE,
      path: ['hue'],
    }),
  ),
  requestHeaders: { 'If-Match': 'The ETag that was read; 412 if it is another one by now' },
  replyHeaders: etag,
  reply: appearanceReply,
});

export const uploadLogo = ownerCall({
  method: 'POST',
  path: '/user/:id/logo',
  summary: `Replace the logo; multipart with image (JPEG, PNG or WebP of at most ${LOGO_SIZE_BYTES_MAX} bytes)`,
  body: 'multipart',
  replyHeaders: etag,
  reply: z.object({ logo: z.string() }),
});

export const removeLogo = ownerCall({
  method: 'POST',
  path: '/user/:id/removeLogo',
  summary: 'Remove the logo',
  replyHeaders: etag,
});
