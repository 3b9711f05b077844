import * as z from 'zod/mini';

import { VIEWS } from '#domain/view.ts';

/**
 * The settings with which the login page loads the provider's widget
 * (docs/security.md#login-providers).
 */
export const providerSettings = z.object({
  kind: z.enum(['embedded', 'otpless', 'msg91', 'firebase']),
  scriptUrl: z.string(),
  /** Public settings of the provider's script, for example an application id. */
  configuration: z.record(z.string(), z.string()),
});

/** The server's settings for the owner's pages, as JSON in the HTML document. */
export const browserSettings = z.object({
  productName: z.string(),
  supportEmail: z.string(),
  /** The origin of links and QR codes; '' is the page's own. */
  publicUrl: z.string(),
  /** The base URLs of the calls (docs/product.md#calls). */
  apiUrl: z.string(),
  serverUrl: z.string(),
  /** The base URL of network icons; '' for the built-in icons. */
  iconBaseUrl: z.string(),
  /** The URL that web vitals are sent to; '' to send none. */
  vitalsUrl: z.string(),
  /** The views that replace their placeholder. */
  views: z.array(z.enum(VIEWS)),
  /** The wallets that the dashboard offers a pass for. */
  wallets: z.array(z.enum(['apple', 'google'])),
  /** Only on the login page. */
  provider: z.optional(providerSettings),
});

export type ProviderSettings = z.infer<typeof providerSettings>;
export type BrowserSettings = z.infer<typeof browserSettings>;
