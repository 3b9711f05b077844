import { OWNER_PAGES } from './page.ts';

type OwnerPaths = {
  readonly [Name in keyof typeof OWNER_PAGES]: (typeof OWNER_PAGES)[Name]['path'];
};

/** docs/develop/product.md#screens-and-routes. */
export const PATHS = {
  start: '/',
  login: '/login',
  /** Leads to the company's login. */
  oidc: '/login/oidc',
  accountVerify: '/dashboard/account/verify',
  ...(Object.fromEntries(
    Object.entries(OWNER_PAGES).map(([name, { path }]) => [name, path]),
  ) as OwnerPaths),
} as const;

export const POLICY_PATHS = {
  privacy: '/privacy_policy',
  terms: '/terms_conditions',
  refund: '/Cancellation_Refund',
  shipping: '/Shipping_delivery',
} as const;

export const receiptPath = (token: string): string => `/receipt/${token}`;
