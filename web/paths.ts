/** Where the owner's pages are (specification, section 2). */
export const PATHS = {
  start: '/',
  login: '/login',
  onboarding: '/ftue',
  dashboard: '/dashboard',
  contacts: '/dashboard/contacts',
  analytics: '/dashboard/analytics',
  edit: '/dashboard/edit',
} as const;
