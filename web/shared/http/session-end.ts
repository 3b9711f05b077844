import type { ApiErrorBody } from '#contract/api-error.ts';

let leave: (isSave: boolean) => unknown = () => undefined;

/** `listener` loads the login page. */
export function onSessionEnd(listener: (isSave: boolean) => unknown): void {
  leave = listener;
}

/**
 * Never settles after the end of the session, while the login page loads. Decided by the code, because
 * a wrong one-time code is 403 too, and so is what a proxy rejects.
 */
export async function checkSession(error: ApiErrorBody | null, isSave = false): Promise<void> {
  if (error?.error !== 'session_invalid') return;
  await leave(isSave);
  await new Promise(() => undefined);
}
