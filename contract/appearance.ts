import * as z from 'zod/mini';

import { HUE_MAX, PALETTE_CHOICES } from '#domain/appearance.ts';
import { LOGO_SIZE_BYTES_MAX } from '#domain/logo.ts';
import { PALETTES } from '#domain/palette.ts';

import { ownerCall } from './endpoint.ts';
import type { Reply } from './endpoint.ts';
import { PHOTO_PALETTE_HEADER } from './user.ts';

const wholeNumber = (max: number, error = `must be a whole number from 0 to ${max}, or null`) =>
  z._default(
    z.nullable(z.number(error).check(z.int(error), z.gte(0, error), z.lte(max, error))),
    null,
  );
const hue = wholeNumber(HUE_MAX);
const swatch = wholeNumber(PALETTES.length - 1);

const palette = z.nullable(
  z.enum(PALETTE_CHOICES, `must be one of ${PALETTE_CHOICES.join(', ')}, or null`),
);

const appearanceReply = z.object({
  palette: z.enum(PALETTE_CHOICES),
  hue,
  swatch,
  logo: z._default(z.nullable(z.string()), null),
});

export const LOOK_CHOSEN_HEADER = 'X-Look-Chosen';

const appearanceHeaders = {
  ETag: 'The version of the appearance',
  [LOOK_CHOSEN_HEADER]: "'false' while the owner has chosen no palette",
};

export const getAppearance = ownerCall({
  method: 'GET',
  path: '/user/:id/appearance',
  summary: 'How the card looks: the palette that its owner has chosen, a hue, a swatch, and a logo',
  replyHeaders: {
    ...appearanceHeaders,
    [PHOTO_PALETTE_HEADER]: 'The number of the palette that the photo gives, if it is known',
  },
  reply: appearanceReply,
});

export type AppearanceReply = Reply<typeof getAppearance>;

export const updateAppearance = ownerCall({
  path: '/user/:id/appearance',
  summary:
    "Choose the palette: by the photo, by the id or a swatch, quiet, or of one's own hue; null for none",
  body: z.object({ palette, hue, swatch }).check(
    z.refine((one) => one.palette !== 'own' || one.hue !== null, {
      error: 'must be a whole number, because the palette is own',
      path: ['hue'],
    }),
    z.refine((one) => one.palette === 'id' || one.swatch === null, {
      error: 'must be null, unless the palette is id',
      path: ['swatch'],
    }),
  ),
  requestHeaders: { 'If-Match': 'The ETag that was read; 412 if it is another one by now' },
  replyHeaders: appearanceHeaders,
  reply: appearanceReply,
});

export const uploadLogo = ownerCall({
  path: '/user/:id/logo',
  summary: `Replace the logo; multipart with image (JPEG, PNG or WebP of at most ${LOGO_SIZE_BYTES_MAX} bytes)`,
  body: 'multipart',
  replyHeaders: appearanceHeaders,
  reply: z.object({ logo: z.string() }),
});

export const removeLogo = ownerCall({
  path: '/user/:id/removeLogo',
  summary: 'Remove the logo',
  replyHeaders: appearanceHeaders,
});
