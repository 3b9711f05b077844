/**
 * Why the browser was redirected to the start page. The reason travels in the history state, so
 * that the login page shows it with the widget (docs/product.md#login-page).
 */
export type RedirectReason = (typeof REASONS)[number];

/** After 'sessionEnded' the typed text is stored, after 'loggedOut' there was none. */
const REASONS = ['userFetchFailed', 'sessionEnded', 'loggedOut'] as const;

/** The history state that carries a reason. */
export function redirectState(redirectReason: RedirectReason) {
  return { redirectReason };
}

/** The reason in the state of a history entry, or null. */
export function readRedirectReason(state: unknown): RedirectReason | null {
  const reason = (state as { readonly redirectReason?: unknown } | null)?.redirectReason;
  return REASONS.find((known) => known === reason) ?? null;
}

/** Removes the reason from the current history entry, so that the next full load redirects as usual. */
export function clearRedirectReason(): void {
  history.replaceState({ ...(history.state as object | null), usr: null }, '');
}

/**
 * Loads `path` with a reason. React Router stores the state of an entry under `usr`. No other state
 * remains: the mark of an open pop-up would lead back to this page.
 */
export function reloadWithReason(path: string, reason: RedirectReason): void {
  history.replaceState({ usr: redirectState(reason) }, '', path);
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
