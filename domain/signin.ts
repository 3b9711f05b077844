import { PATHS } from './path.ts';

/** The most characters of a typed phone, in any spelling. */
export const TYPED_PHONE_LENGTH_MAX = 64;
/** The most characters of a typed one-time code, spaces included. */
export const TYPED_CODE_LENGTH_MAX = 32;

/** The keys in local storage (docs/product.md#storage-keys). */
export const STORAGE_KEYS = {
  id: '_id',
  sessionToken: 'sessionToken',
  marker: 'signedIn',
} as const;

/** Local storage and history state at the start of the login page. */
export interface LoginState {
  readonly hasId: boolean;
  readonly hasToken: boolean;
  /** The marker is written together with id and token. */
  readonly hasMarker: boolean;
  /** Whether another page redirected to the login page with a reason (web/http/redirect-reason.ts). */
  readonly isRedirected: boolean;
}

/**
 * Returns the first action of the login page (docs/product.md#login-page): go to the dashboard, clear
 * an incomplete session and show the widget, or show the widget.
 */
export function loginAction(state: LoginState): 'dashboard' | 'clear' | 'widget' {
  const hasSession = state.hasId && state.hasToken;
  if (hasSession) return state.isRedirected ? 'widget' : 'dashboard';
  return state.hasMarker ? 'clear' : 'widget';
}

/** Returns the page after the user fetch (docs/product.md#login-page). */
export function pageAfterSignIn(user: { name: string; phone: string }): string {
  if (user.name.trim() !== '') return `${PATHS.dashboard}/`;
  return `${PATHS.onboarding}?phone=${encodeURIComponent(user.phone)}`;
}
