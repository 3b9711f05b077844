/** The paths of the owner's pages (docs/product.md#screens-and-routes). */
export const PATHS = {
  start: '/',
  login: '/login',
  onboarding: '/ftue',
  dashboard: '/dashboard',
  contacts: '/dashboard/contacts',
  analytics: '/dashboard/analytics',
  edit: '/dashboard/edit',
  account: '/dashboard/account',
  accountVerify: '/dashboard/account/verify',
} as const;
