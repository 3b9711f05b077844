import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { PATHS } from '#domain/path.ts';
import { readItem, removeItem, writeItem } from '#web/shared/http/browser-storage.ts';
import { flushDraft } from '#web/shared/http/storage.ts';

import { takeReturnedToken } from './redirect.ts';

/* The company's login interrupts a dialog, which the page opens again when the browser is back. */

const KEY = BROWSER_STORAGE.sessionStorage.interrupted;

/** Undefined until it is read. */
let returned: ReturnType<typeof readReturned> | undefined;

function readReturned() {
  const token = takeReturnedToken();
  const stored = readItem(KEY, 'sessionStorage');
  removeItem(KEY, 'sessionStorage');
  if (token === null || stored === null) return null;
  const [dialog, typed] = JSON.parse(stored) as [dialog: string, typed: string];
  return { dialog, typed, token };
}

/** Returns what was typed and the token, if this dialog was interrupted. The token is '' after a cancellation. */
export function returnTo(dialog: string) {
  if (returned === undefined) returned = readReturned();
  return returned?.dialog === dialog ? returned : null;
}

export function forgetReturn(): void {
  returned = null;
}

export async function leaveForLogin(dialog: string, typed: string): Promise<void> {
  await flushDraft();
  writeItem(KEY, JSON.stringify([dialog, typed]), 'sessionStorage');
  const from = location.pathname.startsWith(PATHS.edit) ? 'edit' : 'account';
  location.assign(`${PATHS.oidc}?from=${from}`);
}
