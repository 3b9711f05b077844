import { PATHS } from '#web/paths.ts';

/** The dashboard's menu: 0 Home, 1 Contacts, 2 Analytics (specification, section 4). */
export const MENU = [
  { name: 'Home', path: PATHS.dashboard, glyph: 'home' },
  { name: 'Contacts', path: PATHS.contacts, glyph: 'contacts' },
  { name: 'Analytics', path: PATHS.analytics, glyph: 'analytics' },
] as const;
