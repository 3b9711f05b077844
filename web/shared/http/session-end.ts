import type { ApiErrorBody } from '#contract/api-error.ts';
import { PATHS } from '#domain/path.ts';

import { showAlert } from './report.ts';
import { clearStorage, flushDraft, hasDraft, storedId } from './storage.ts';

const REASONS = [
  'userFetchFailed',
  'cardBlocked',
  'notInvited',
  /** What the user typed is stored. */
  'sessionEnded',
  /** The user had typed nothing. */
  'loggedOut',
  'accountDeleted',
] as const;

/** In the history state, so that the login page shows it (docs/product.md#login-page). */
export type RedirectReason = (typeof REASONS)[number];

/**
 * Never settles after the end of the session, while the login page loads. Decided by the code, because
 * a wrong one-time code is 403 too, and so is what a proxy rejects.
 */
export async function checkSession(error: ApiErrorBody | null, isSave = false): Promise<void> {
  if (error?.error !== 'session_invalid') return;
  ending ??= endSession(isSave);
  await ending;
  await new Promise(() => undefined);
}

let ending: Promise<void> | null = null;

/**
 * What was typed is in its page again after the next login. A full page load, so that no data of this
 * owner remains in the page.
 */
async function endSession(isSave: boolean): Promise<void> {
  if (isSave) showAlert('Session logged out');
  await flushDraft();
  const isKept = await hasDraft(storedId() ?? '');
  await clearStorage({ keepsDrafts: true });
  const isOnboarding = location.pathname.startsWith(PATHS.onboarding);
  const path = isOnboarding ? PATHS.start : PATHS.login;
  loadWithReason(path, isKept ? 'sessionEnded' : 'loggedOut');
}

export function loadWithReason(path: string, reason: RedirectReason): void {
  loadWithState(path, { redirectReason: reason });
}

/** The key of React Router's state. */
const ROUTER_STATE_KEY = 'usr';

export function loadWithState(path: string, state: object): void {
  history.replaceState({ [ROUTER_STATE_KEY]: state }, '', path);
  location.reload();
}

/** It is removed, so that the next full load redirects as usual. */
export function takeRedirectReason(): RedirectReason | null {
  const state = history.state as { readonly [ROUTER_STATE_KEY]?: unknown } | null;
  const reason = (state?.[ROUTER_STATE_KEY] as { readonly redirectReason?: unknown } | null)
    ?.redirectReason;
  const known = REASONS.find((one) => one === reason) ?? null;
  if (known !== null) history.replaceState({ ...state, [ROUTER_STATE_KEY]: null }, '');
  return known;
}

/** A browser keeps the state when the same address is entered again; only a reload should. */
export function clearStateOfLastVisit(): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const isNew = navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate';
  if (isNew) history.replaceState(null, '');
}
