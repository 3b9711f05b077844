/** docs/product.md#screens-and-routes. */
export const PATHS = {
  start: '/',
  login: '/login',
  onboarding: '/ftue',
  dashboard: '/dashboard',
  contacts: '/dashboard/contacts',
  analytics: '/dashboard/analytics',
  edit: '/dashboard/edit',
  account: '/dashboard/account',
  appearance: '/dashboard/appearance',
  faces: '/dashboard/faces',
  signature: '/dashboard/signature',
  accountVerify: '/dashboard/account/verify',
} as const;

export const POLICY_PATHS = {
  privacy: '/privacy_policy',
  terms: '/terms_conditions',
  refund: '/Cancellation_Refund',
  shipping: '/Shipping_delivery',
} as const;
