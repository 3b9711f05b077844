import type { ApiErrorBody } from '#contract/api-error.ts';

let leave: () => unknown = () => undefined;

/** `listener` loads the login page. */
export function onSessionEnd(listener: () => unknown): void {
  leave = listener;
}

/**
 * Never settles after the end of the session, while the login page loads; rejects if it cannot be
 * loaded. Decided by the code, because a wrong one-time code is 403 too.
 */
export async function checkSession(error: ApiErrorBody | null): Promise<void> {
  if (error?.error !== 'session_invalid') return;
  await leave();
  await new Promise(() => undefined);
}
