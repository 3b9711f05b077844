import { PATHS } from '#domain/path.ts';
import { loadWithReason } from '#web/shared/http/redirect-reason.ts';
import { storedId } from '#web/shared/http/session.ts';
import { clearStorage, flushDraft, hasDraft } from '#web/shared/http/storage.ts';
import { showAlert } from '#web/shared/ui/alert.ts';

let ending: Promise<void> | null = null;

/**
 * After a reply of `session_invalid`. What was typed is in its page again after the next login. A full
 * page load, so that no data of this owner remains in the page.
 */
export function endSession(isSave: boolean): Promise<void> {
  ending ??= leave(isSave);
  return ending;
}

async function leave(isSave: boolean): Promise<void> {
  if (isSave) showAlert('Session logged out');
  await flushDraft();
  const isKept = await hasDraft(storedId() ?? '');
  await clearStorage({ keepsDrafts: true });
  const isOnboarding = location.pathname.startsWith(PATHS.onboarding);
  const path = isOnboarding ? PATHS.start : PATHS.login;
  loadWithReason(path, isKept ? 'sessionEnded' : 'loggedOut');
}
