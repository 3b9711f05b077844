import { PATHS } from '#domain/path.ts';
import type { ProfileChange } from '#domain/profile.ts';
import { loadWithReason } from '#web/shared/http/redirect-reason.ts';
import { clearStorage, storedId } from '#web/shared/http/session.ts';

import { storeExtrasDraft, storedExtrasDraft } from './extras-draft.ts';
import { readQueue } from './queue.ts';
import { editDraftKey, storeChanges, storedChanges } from './stored-changes.ts';

let ending: Promise<void> | null = null;

/**
 * After the end of the session. What was typed or queued is in Edit Profile again after the next
 * login. A full page load, so that no data of this owner remains in the page.
 */
export function endSession(typed?: ProfileChange): Promise<void> {
  ending ??= leave(typed);
  return ending;
}

async function leave(typed?: ProfileChange): Promise<void> {
  const id = storedId() ?? '';
  const key = editDraftKey(id);
  const queue = await readQueue(id);
  const unsent = { ...queue?.changes, ...storedChanges(key, localStorage), ...typed };
  const hasUnsent = Object.keys(unsent).length > 0;
  const extras = storedExtrasDraft(id);
  const cleared = clearStorage();
  storeExtrasDraft(id, extras);
  if (hasUnsent) storeChanges(key, unsent);
  await cleared;
  loadWithReason(PATHS.login, hasUnsent || typed ? 'sessionEnded' : 'loggedOut');
}
