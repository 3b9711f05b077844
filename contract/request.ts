import * as z from 'zod/mini';

import { userIdSchema } from '#domain/identifier.ts';

/** The parameters of a path that ends with a user's id. */
export const userParams = z.object({ id: userIdSchema });

/** Returns the schema of a text of at most `lengthMax` characters that is neither stored nor shown. */
export function requestText(lengthMax: number) {
  return z.string().check(z.maxLength(lengthMax, `must be at most ${lengthMax} characters`));
}
