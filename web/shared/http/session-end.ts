import type { ApiErrorBody } from '#contract/api-error.ts';
import { PATHS } from '#domain/path.ts';

import { showAlert } from './report.ts';
import { clearOwnerStorage, clearStorage, flushDraft, hasDraft, storedSession } from './storage.ts';
import type { Session } from './storage.ts';

const REASONS = [
  'userFetchFailed',
  'cardBlocked',
  'notInvited',
  /** The session has ended, and what the user typed is stored. */
  'sessionEnded',
  /** The session has ended, and the user had typed nothing. */
  'loggedOut',
  'accountDeleted',
] as const;

/** The history state passes the reason to the page that shows it (docs/develop/product.md#login-page). */
export type RedirectReason = (typeof REASONS)[number];

/**
 * Ends `session`, with which a call was made, if the server replied that it is invalid. The promise then
 * never settles, because the login page loads. The error code decides, because a wrong one-time code has
 * status 403 too, and so does a request that a proxy rejects.
 */
export async function checkSession(
  error: ApiErrorBody | null,
  session: Session | null,
  isSave = false,
): Promise<void> {
  if (error?.error !== 'session_invalid') return;
  ending ??= endSession(session, isSave);
  await ending;
  await new Promise(() => undefined);
}

let ending: Promise<void> | null = null;

/**
 * Leaves for the login page. It is a full page load, so that no data of this owner remain in the page. What
 * was typed is stored and appears again after the next login. If another tab has signed in meanwhile, its
 * session stays.
 */
async function endSession(session: Session | null, isSave: boolean): Promise<void> {
  if (isReplaced(session)) return location.reload();
  if (isSave) showAlert('Session logged out');
  await flushDraft();
  const isKept = await hasDraft(session?.id ?? '');
  if (isReplaced(session)) return location.reload();
  await clearStorage({ keepsDrafts: true });
  const isOnboarding = location.pathname.startsWith(PATHS.onboarding);
  const path = isOnboarding ? PATHS.start : PATHS.login;
  loadWithReason(path, isKept ? 'sessionEnded' : 'loggedOut');
}

function isReplaced(session: Session | null): boolean {
  const now = storedSession();
  return now !== null && (now.id !== session?.id || now.token !== session.token);
}

/** Leaves for the start page with a full page load, so that no data of this owner remain in the page. */
export async function leaveDeletedAccount(): Promise<void> {
  await clearOwnerStorage();
  loadWithReason(PATHS.start, 'accountDeleted');
}

export function loadWithReason(path: string, reason: RedirectReason): void {
  loadWithState(path, { redirectReason: reason });
}

/** React Router keeps its state under this key of the history state. */
const ROUTER_STATE_KEY = 'usr';

export function loadWithState(path: string, state: object): void {
  history.replaceState({ [ROUTER_STATE_KEY]: state }, '', path);
  location.reload();
}

/** Returns the reason and removes it from the history state, so that the next full load redirects as usual. */
export function takeRedirectReason(): RedirectReason | null {
  const state = history.state as { readonly [ROUTER_STATE_KEY]?: unknown } | null;
  const reason = (state?.[ROUTER_STATE_KEY] as { readonly redirectReason?: unknown } | null)
    ?.redirectReason;
  const known = REASONS.find((one) => one === reason) ?? null;
  if (known !== null) history.replaceState({ ...state, [ROUTER_STATE_KEY]: null }, '');
  return known;
}

/** Clears the history state, unless the page is reloaded. Browsers keep it when the same URL is entered again. */
export function clearStateOfLastVisit(): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const isNew = navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate';
  if (isNew) history.replaceState(null, '');
}
