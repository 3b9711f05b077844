import { USER_UNKNOWN_MESSAGE } from '#domain/profile.ts';
import { getUser, logout, updateUser } from '#contract/user.ts';
import { ApiError } from '#server/error.ts';
import { sessionInvalidError } from '#server/http/caller.ts';
import { ANY_VERSION, permittedVersions, versionEtag } from '#server/http/etag.ts';
import { API_PREFIX, finishReply, route, routeWithSessionInQuery } from '#server/http/route.ts';
import type { AppContext } from '#server/context.ts';
import { findVersionedProfile } from '#server/profile/store.ts';
import { updateProfile } from '#server/profile/update.ts';

import { SaveQueue } from './save-queue.ts';

/** Registers the calls that read and save a profile and log out. */
export function userRoutes(context: AppContext): void {
  const { responses, sessions } = context;
  const { database, clock } = context.dependencies;
  const queue = new SaveQueue();

  route(context, getUser, async ({ params, request }) => {
    context.readRateLimit.countOrThrow(request);
    const path = API_PREFIX + getUser.path.replace(':id', params.id);
    const key = { userId: params.id, path, route: API_PREFIX + getUser.path };
    const finished = await responses.getOrRender(key, async () => {
      const found = await findVersionedProfile(database, params.id);
      const etag = versionEtag(found?.version ?? 0);
      return found && finishReply(getUser, found.profile, etag);
    });
    if (!finished) throw new ApiError('user_unknown', USER_UNKNOWN_MESSAGE);
    return finished;
  });

  routeWithSessionInQuery(
    context,
    updateUser,
    async ({ body, caller: { claimedUserId: userId, tokenHash }, request, reply }) => {
      const versions = permittedVersions(request.headers['if-match']);
      const session = sessions.values(tokenHash);
      const saved = await queue.run({
        userId,
        tokenHash,
        verifySession: async () => {
          const caller = await sessions.authenticate(request);
          if (caller.userId !== userId) throw sessionInvalidError();
        },
        run: () =>
          updateProfile(database, { ...body, userId, now: clock.now(), session, versions }),
      });
      if (!saved && versions === ANY_VERSION) throw sessionInvalidError();
      if (!saved) {
        const caller = await sessions.authenticate(request);
        // Another node may have saved, and its invalidation may still be pending.
        if (caller.userId === userId) responses.drop(userId);
        throw changedMeanwhile();
      }
      responses.drop(userId);
      sessions.extendLater(tokenHash, saved.session);
      void reply.header('etag', versionEtag(saved.version));
      return saved.profile;
    },
  );

  route(context, logout, async ({ caller }) => {
    await database.run('DELETE FROM sessions WHERE token_hash = $1', [caller.tokenHash]);
    return {};
  });
}

function changedMeanwhile(): ApiError {
  return new ApiError('precondition_failed', 'This card has been changed meanwhile: not saved.');
}
