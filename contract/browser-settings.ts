import * as z from 'zod/mini';

/** What the login page needs to load the provider's widget (docs/security.md#login-providers). */
export const providerSettings = z.object({
  kind: z.enum(['embedded', 'otpless', 'msg91', 'firebase']),
  scriptUrl: z.string(),
  /** What the provider's script is given: an application id, for example. Nothing secret. */
  configuration: z.record(z.string(), z.string()),
});

/** What the server tells the owner's pages, as JSON in the page itself. */
export const browserSettings = z.object({
  productName: z.string(),
  supportEmail: z.string(),
  /** The origin that links and QR codes point to; '' is the page's own. */
  publicUrl: z.string(),
  /** The base addresses of the calls (docs/product.md#calls). */
  apiUrl: z.string(),
  serverUrl: z.string(),
  /** Where network icons come from; '' draws the product's own. */
  iconBaseUrl: z.string(),
  /** Where web vitals go; '' sends nothing. */
  vitalsUrl: z.string(),
  /** Only on the login page. */
  provider: z.optional(providerSettings),
});

export type ProviderSettings = z.infer<typeof providerSettings>;
export type BrowserSettings = z.infer<typeof browserSettings>;

/** The id of the element that holds them. */
export const BROWSER_SETTINGS_ID = 'settings';
