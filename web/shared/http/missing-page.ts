import { useEffect, useState } from 'react';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';

import { readItem, removeItem, writeItem } from './browser-storage.ts';
import { checkConnection } from './connection.ts';
import { loadCode } from './request.ts';

const KEY = BROWSER_STORAGE.sessionStorage.reloaded;

/** Loads the code of a page. After a success, `useReloadOnce` may reload again. */
export async function loadPage<Code>(load: () => Promise<Code>): Promise<Code> {
  const code = await loadCode(load());
  removeItem(KEY, 'sessionStorage');
  return code;
}

/**
 * Reloads the page once if its code is gone because the service was upgraded. Returns whether a reload may
 * still help, in which case the error should not be shown.
 */
export function useReloadOnce(error: unknown): boolean {
  // Browsers reject an import that they cannot load with a TypeError. A timeout is another kind of error.
  const isMissing = error instanceof Error && error.cause instanceof TypeError;
  const [mayHelp, setMayHelp] = useState(isMissing);
  useEffect(() => {
    const reload = async () => setMayHelp(await reloadOnce());
    if (isMissing) void reload();
  }, [isMissing]);
  return mayHelp;
}

/** Reloads the page, unless the tab has done so before, cannot remember it, or cannot reach the service. */
async function reloadOnce(): Promise<boolean> {
  const mayHelp = readItem(KEY, 'sessionStorage') === null && (await checkConnection());
  if (!mayHelp || !writeItem(KEY, 'true', 'sessionStorage')) return false;
  location.reload();
  return true;
}
