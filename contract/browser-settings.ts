import * as z from 'zod/mini';

import { LOOKS } from '#domain/appearance.ts';
import { EXTRAS } from '#domain/extras.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import { LOCKABLE_FIELDS } from '#domain/profile-field.ts';
import { VIEWS } from '#domain/view.ts';

export const providerSettings = z.object({
  kind: z.enum(['embedded', 'otpless', 'msg91']),
  scriptUrl: z.string(),
  configuration: z.record(z.string(), z.string()),
});

export const browserSettings = z.object({
  productName: z.string(),
  supportEmail: z.string(),
  /** The origin of links and QR codes; '' is the page's own. */
  publicUrl: z.string(),
  apiUrl: z.string(),
  serverUrl: z.string(),
  iconBaseUrl: z.string(),
  vitalsUrl: z.string(),
  views: z.array(z.enum(VIEWS)),
  /** Absent unless CARD_TEXT is whole. */
  isCardTextWhole: z.optional(z.literal(true)),
  /** Absent without CARD_EXTRAS. */
  cardExtras: z.optional(z.array(z.enum(EXTRAS))),
  /** Absent without LOCKED_FIELDS. */
  lockedFields: z.optional(z.array(z.enum(LOCKABLE_FIELDS))),
  /** Absent without BRAND_COLOUR and BRAND_LOGO. */
  brand: z.optional(
    z.object({
      appearance: z.object({ palette: z.enum(LOOKS), hue: z.nullable(z.number()) }),
      logo: z.string(),
    }),
  ),
  wallets: z.array(z.enum(['apple', 'google'])),
  /** Besides English, for links to the card; absent without LANGUAGES. */
  languages: z.optional(z.array(z.enum(TRANSLATION_LANGUAGES))),
  /** Only on a login page in another language than English. */
  texts: z.optional(z.custom<Pick<Catalogue, 'signin' | 'code'>>()),
  provider: z.optional(providerSettings),
});

export type ProviderSettings = z.infer<typeof providerSettings>;
export type BrowserSettings = z.infer<typeof browserSettings>;
