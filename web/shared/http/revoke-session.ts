import { logout } from '#contract/user.ts';
import { SECOND_MS } from '#domain/duration.ts';

import { call } from './call.ts';

/** docs/product.md#dashboard. */
const TIMEOUT_MS = 3 * SECOND_MS;

/** If the server answers in time. Never throws. */
export async function revokeSession(sessionToken: string): Promise<void> {
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, TIMEOUT_MS);
  });
  await Promise.race([call(logout, {}, { authorization: sessionToken }), timeout]);
}
