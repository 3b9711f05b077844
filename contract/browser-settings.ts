import * as z from 'zod/mini';

import { PALETTE_CHOICES } from '#domain/appearance.ts';
import { EXTRAS } from '#domain/extras.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import { LOCKABLE_FIELDS } from '#domain/profile-field.ts';
import { VIEWS } from '#domain/page.ts';

export const providerSettings = z.object({
  kind: z.enum(['embedded', 'otpless', 'msg91', 'oidc']),
  scriptUrl: z.string(),
  configuration: z.record(z.string(), z.string()),
});

export const browserSettings = z.object({
  productName: z.string(),
  supportEmail: z.string(),
  /** The origin of links and QR codes. If it is '', they have the page's own origin. */
  publicUrl: z.string(),
  apiUrl: z.string(),
  serverUrl: z.string(),
  iconBaseUrl: z.string(),
  vitalsUrl: z.string(),
  views: z.array(z.enum(VIEWS)),
  /* Settings without a value are absent, because most services have none of them. */
  isCardTextWhole: z.optional(z.literal(true)),
  cardExtras: z.optional(z.array(z.enum(EXTRAS))),
  lockedFields: z.optional(z.array(z.enum(LOCKABLE_FIELDS))),
  /** The name of the company's login, if people sign in with it. */
  oidcName: z.optional(z.string()),
  brand: z.optional(
    z.object({
      appearance: z.object({
        palette: z.enum(PALETTE_CHOICES),
        hue: z.nullable(z.number()),
        swatch: z.nullable(z.number()),
      }),
      logo: z.string(),
    }),
  ),
  wallets: z.array(z.enum(['apple', 'google'])),
  /** The languages of LANGUAGES, to which English is always added. */
  languages: z.optional(z.array(z.enum(TRANSLATION_LANGUAGES))),
  /** Only a login page in a language other than English needs them. */
  texts: z.optional(
    z.custom<Pick<Catalogue, 'signin' | 'code'> & Partial<Pick<Catalogue, 'dormant'>>>(),
  ),
  provider: z.optional(providerSettings),
});

export type ProviderSettings = z.infer<typeof providerSettings>;
export type BrowserSettings = z.infer<typeof browserSettings>;
