/**
 * Why the browser was redirected to the start page. The reason is passed in the history state, so
 * that the login page shows it with the widget (docs/product.md#login-page).
 */
export type RedirectReason = (typeof REASONS)[number];

/** 'sessionEnded': what the user typed is stored. 'loggedOut': the user had typed nothing. */
const REASONS = [
  'userFetchFailed',
  'cardBlocked',
  'sessionEnded',
  'loggedOut',
  'accountDeleted',
] as const;

/** React Router stores the state of a history entry under this key. */
const ROUTER_STATE_KEY = 'usr';

/** The history state with a reason. */
export function redirectState(redirectReason: RedirectReason) {
  return { redirectReason };
}

/** The reason in the state of the current history entry, or null. */
export function currentRedirectReason(): RedirectReason | null {
  const state = history.state as { readonly [ROUTER_STATE_KEY]?: unknown } | null;
  const reason = (state?.[ROUTER_STATE_KEY] as { readonly redirectReason?: unknown } | null)
    ?.redirectReason;
  return REASONS.find((known) => known === reason) ?? null;
}

/** Removes the reason from the current history entry, so that the next full load redirects as usual. */
export function clearRedirectReason(): void {
  history.replaceState({ ...(history.state as object | null), [ROUTER_STATE_KEY]: null }, '');
}

/** Loads `path` with a reason. */
export function loadWithReason(path: string, reason: RedirectReason): void {
  loadWithState(path, redirectState(reason));
}

/**
 * Loads `path` with a state for React Router. Replaces the whole state: with the entry id of an open
 * pop-up (web/ui/close-on-back.ts) the next page would go back.
 */
export function loadWithState(path: string, state: object): void {
  history.replaceState({ [ROUTER_STATE_KEY]: state }, '', path);
  location.reload();
}

/**
 * Clears the history state at the start of a new visit. A browser keeps the entry and its state
 * when the user enters the address of the current page again; only a reload should keep them.
 */
export function clearStateOfLastVisit(): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const isNew = navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate';
  if (isNew) history.replaceState(null, '');
}
