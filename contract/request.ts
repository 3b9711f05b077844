import * as z from 'zod/mini';

import { userIdSchema } from '#domain/identifier.ts';

export const userParams = z.object({ id: userIdSchema });

export function requestText(lengthMax: number) {
  return z.string().check(z.maxLength(lengthMax, `must be at most ${lengthMax} characters`));
}
