/** VIEWS turns these on. */
export const VIEWS = ['contacts', 'analytics'] as const;
export type View = (typeof VIEWS)[number];

export interface OwnerPage {
  readonly path: string;
  readonly title: string;
  readonly feature: string;
  /** The page's entry in the dashboard's menu. The page is shown beside this menu. */
  readonly menu?: { readonly name: string; readonly icon: 'home' | 'contacts' | 'analytics' };
  /** If VIEWS does not include this view, a placeholder takes the page's place. */
  readonly view?: View;
  readonly needsLanguages?: true;
}

/** The paths and routes of server and browser are made from this table. */
export const OWNER_PAGES = {
  onboarding: { path: '/ftue', title: 'Set up your card', feature: 'onboarding' },
  dashboard: {
    path: '/dashboard',
    title: 'Dashboard',
    feature: 'dashboard',
    menu: { name: 'Home', icon: 'home' },
  },
  contacts: {
    path: '/dashboard/contacts',
    title: 'Contacts',
    feature: 'contact',
    menu: { name: 'Contacts', icon: 'contacts' },
    view: 'contacts',
  },
  analytics: {
    path: '/dashboard/analytics',
    title: 'Analytics',
    feature: 'analytics',
    menu: { name: 'Analytics', icon: 'analytics' },
    view: 'analytics',
  },
  edit: { path: '/dashboard/edit', title: 'Edit Profile', feature: 'edit' },
  appearance: { path: '/dashboard/appearance', title: 'Appearance', feature: 'appearance' },
  translations: {
    path: '/dashboard/translations',
    title: 'Other languages',
    feature: 'translation',
    needsLanguages: true,
  },
  account: { path: '/dashboard/account', title: 'Account and data', feature: 'account' },
  table: { path: '/dashboard/table', title: 'Table', feature: 'table' },
  signature: { path: '/dashboard/signature', title: 'E-mail signature', feature: 'signature' },
} as const satisfies Record<string, OwnerPage>;

export function ownerPages(hasLanguages: boolean): readonly OwnerPage[] {
  return Object.values<OwnerPage>(OWNER_PAGES).filter(
    ({ needsLanguages }) => !needsLanguages || hasLanguages,
  );
}
