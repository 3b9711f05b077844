import { PATHS } from '#domain/path.ts';
import type { View } from '#domain/view.ts';

export const SHELL = 'feature/dashboard/shell.tsx';
export const PLACEHOLDER = 'feature/dashboard/coming-soon.tsx';

const EARLY_PROFILE = 'shared/profile/early.ts';

interface OwnerPage {
  readonly path: string;
  readonly title: string;
  /** Modules in this folder; each one's `Page` is rendered in the one before it. */
  readonly modules: readonly string[];
  /** They run before the application has loaded. */
  readonly scripts?: readonly string[];
  readonly menu?: { readonly name: string; readonly icon: 'home' | 'contacts' | 'analytics' };
  /** Without it the placeholder is in its place. */
  readonly view?: View;
  /** Absent without LANGUAGES. */
  readonly needsLanguages?: true;
}

export const OWNER_PAGES = {
  onboarding: {
    path: PATHS.onboarding,
    title: 'Set up your card',
    modules: ['feature/onboarding/page.tsx'],
    scripts: [EARLY_PROFILE],
  },
  home: {
    path: PATHS.dashboard,
    title: 'Dashboard',
    modules: [SHELL, 'feature/dashboard/home.tsx'],
    scripts: ['feature/dashboard/early-qr.ts'],
    menu: { name: 'Home', icon: 'home' },
  },
  contacts: {
    path: PATHS.contacts,
    title: 'Contacts',
    modules: [SHELL, 'feature/contact/page.tsx'],
    menu: { name: 'Contacts', icon: 'contacts' },
    view: 'contacts',
  },
  analytics: {
    path: PATHS.analytics,
    title: 'Analytics',
    modules: [SHELL, 'feature/analytics/page.tsx'],
    menu: { name: 'Analytics', icon: 'analytics' },
    view: 'analytics',
  },
  edit: {
    path: PATHS.edit,
    title: 'Edit Profile',
    modules: ['feature/edit/page.tsx'],
    scripts: [EARLY_PROFILE],
  },
  appearance: {
    path: PATHS.appearance,
    title: 'Appearance',
    modules: ['feature/appearance/page.tsx'],
    scripts: [EARLY_PROFILE],
  },
  faces: {
    path: PATHS.faces,
    title: 'Other languages',
    modules: ['feature/translation/page.tsx'],
    needsLanguages: true,
  },
  account: {
    path: PATHS.account,
    title: 'Account and data',
    modules: ['feature/account/page.tsx'],
  },
  signature: {
    path: PATHS.signature,
    title: 'E-mail signature',
    modules: ['feature/signature/page.tsx'],
    scripts: [EARLY_PROFILE],
  },
} as const satisfies Record<string, OwnerPage>;

export type OwnerPageName = keyof typeof OWNER_PAGES;

export const ALL_PAGES: readonly (OwnerPage & { readonly name: OwnerPageName })[] = Object.entries(
  OWNER_PAGES,
).map(([name, page]) => ({ name: name as OwnerPageName, ...page }));

/** Without its view, the placeholder takes the place of the last one. */
export function modulesOf({ modules, view }: OwnerPage, views: readonly View[]): readonly string[] {
  const isOff = view !== undefined && !views.includes(view);
  return isOff ? [...modules.slice(0, -1), PLACEHOLDER] : modules;
}
