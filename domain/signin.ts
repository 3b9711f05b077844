/** The keys in local storage (docs/product.md#storage-keys). */
export const STORAGE_KEYS = {
  id: '_id',
  sessionToken: 'sessionToken',
  marker: 'signedIn',
} as const;

/** What the login page finds in local storage and in the history state when it opens. */
export interface LoginState {
  readonly hasId: boolean;
  readonly hasToken: boolean;
  /** Whether the marker is set, which is written together with id and token. */
  readonly hasMarker: boolean;
  /** Whether another page has failed and redirected here. */
  readonly isRedirected: boolean;
}

/**
 * What the login page does (docs/product.md#login-page): go to the dashboard, clear an incomplete
 * session and show the widget, or show the widget.
 */
export function loginAction(state: LoginState): 'dashboard' | 'clear' | 'widget' {
  const hasSession = state.hasId && state.hasToken;
  if (hasSession) return state.isRedirected ? 'widget' : 'dashboard';
  return state.hasMarker ? 'clear' : 'widget';
}

/** The page after the user fetch (docs/product.md#login-page). */
export function pageAfterSignIn(user: { name: string; phone: string }): string {
  if (user.name.trim() !== '') return '/dashboard/';
  return `/ftue?phone=${encodeURIComponent(user.phone)}`;
}
