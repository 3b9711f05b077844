import { UNKNOWN_USER } from '#domain/profile.ts';
import { getUser, logout, updateUser } from '#contract/user.ts';
import { KeyedMutex } from '#server/db/mutex.ts';
import { ApiError } from '#server/http/api-error.ts';
import { route } from '#server/http/route.ts';
import type { AppContext } from '#server/context.ts';
import { sessionInvalid } from '#server/http/caller.ts';

import { updateProfile, findProfile } from '#server/profile/store.ts';

export function userRoutes(context: AppContext): void {
  const { database, clock } = context.dependencies;
  const mutex = new KeyedMutex();

  route(context, getUser, async ({ params, request }) => {
    context.readRateLimit.count(request);
    const profile = await findProfile(database, params.id);
    if (!profile) throw new ApiError('user_unknown', UNKNOWN_USER.bio);
    return profile;
  });

  route(context, updateUser, async ({ body, caller }) => {
    // Waiting saves of one card occupy one database connection, not all.
    const profile = await mutex.runExclusive(caller.userId, () =>
      updateProfile(database, { ...body, userId: caller.userId, now: clock.now() }),
    );
    if (!profile) throw sessionInvalid();
    context.cards.drop(caller.userId);
    return profile;
  });

  route(context, logout, async ({ caller }) => {
    await database.run('DELETE FROM sessions WHERE token_hash = $1', [caller.tokenHash]);
    return {};
  });
}
