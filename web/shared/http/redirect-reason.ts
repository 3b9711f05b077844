/** In the history state, so that the login page shows it (docs/product.md#login-page). */
export type RedirectReason = (typeof REASONS)[number];

/** 'sessionEnded': what the user typed is stored. 'loggedOut': the user had typed nothing. */
const REASONS = [
  'userFetchFailed',
  'cardBlocked',
  'notInvited',
  'sessionEnded',
  'loggedOut',
  'accountDeleted',
] as const;

/** The key of React Router's state. */
const ROUTER_STATE_KEY = 'usr';

export function currentRedirectReason(): RedirectReason | null {
  const state = history.state as { readonly [ROUTER_STATE_KEY]?: unknown } | null;
  const reason = (state?.[ROUTER_STATE_KEY] as { readonly redirectReason?: unknown } | null)
    ?.redirectReason;
  return REASONS.find((known) => known === reason) ?? null;
}

/** So that the next full load redirects as usual. */
export function clearRedirectReason(): void {
  history.replaceState({ ...(history.state as object | null), [ROUTER_STATE_KEY]: null }, '');
}

export function loadWithReason(path: string, reason: RedirectReason): void {
  loadWithState(path, { redirectReason: reason });
}

export function loadWithState(path: string, state: object): void {
  history.replaceState({ [ROUTER_STATE_KEY]: state }, '', path);
  location.reload();
}

/** A browser keeps the state when the same address is entered again; only a reload should. */
export function clearStateOfLastVisit(): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const isNew = navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate';
  if (isNew) history.replaceState(null, '');
}
