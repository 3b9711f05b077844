import { parseHandle } from '#domain/handle.ts';
import { USER_UNKNOWN_MESSAGE } from '#domain/unknown-user.ts';
import { CALL_LINK_HEADER, checkHandle, getUser, logout, updateUser } from '#contract/user.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import {
  ANY_VERSION,
  API_PREFIX,
  parseInput,
  permittedVersions,
  route,
  versionEtag,
} from '#server/http/route.ts';
import { deleteTableCookies } from '#server/http/headers.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import type { AppContext } from '#server/context.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { changedMeanwhileError } from '#server/adapter/profile/owner-row.ts';
import type { ReadPhone } from '#server/adapter/profile/phone.ts';
import { findVersionedProfile, updateProfile } from '#server/adapter/profile/store.ts';
import type { VersionedProfile } from '#server/adapter/profile/store.ts';

export function userRoutes(context: AppContext): void {
  const { cards, responses, settings } = context;
  const { database, clock, readPhone } = context.dependencies;

  const url = API_PREFIX + getUser.path;
  publicRoute(context, {
    url,
    config: { access: 'open', endpoint: getUser },
    userIdOf: ({ params }) => params['id'],
    pathOf: (userId) => url.replace(':id', userId),
    respond: (key) =>
      responses.getOrRender(key, async () => {
        const found = await findVersionedProfile(database, key.userId);
        return found && finishProfile(found, readPhone);
      }),
    unknown: (_language, { params }) => {
      parseInput(getUser.params, params);
      throw new ApiError('user_unknown', USER_UNKNOWN_MESSAGE);
    },
  });

  route(context, updateUser, async ({ body, caller: { userId }, request, reply }) => {
    const versions = permittedVersions(request.headers['if-match']);
    const change = { ...body, userId, now: clock.now(), versions, locked: settings.lockedFields };
    const saved = await updateProfile(cards, change);
    // Without a condition on the version, only a user that was removed meanwhile is not found.
    if (!saved && versions === ANY_VERSION) throw sessionInvalidError();
    if (!saved) throw changedMeanwhileError();
    void reply.header('etag', versionEtag(saved.version));
    void reply.header(CALL_LINK_HEADER, readPhone(saved.profile.phone).call ?? '');
    return saved.profile;
  });

  route(context, checkHandle, async ({ body: { network, text } }) => {
    const parsed = parseHandle(network, text);
    return { problem: parsed.kind === 'value' ? '' : parsed.message };
  });

  route(context, logout, async ({ caller, request, reply }) => {
    void reply.header('set-cookie', deleteTableCookies(request.headers));
    await database.run(sql`DELETE FROM sessions WHERE token_hash = ${caller.tokenHash}`);
    await context.live.endInvalid(caller.userId);
    return {};
  });
}

function finishProfile(
  { profile, version }: VersionedProfile,
  readPhone: ReadPhone,
): StoredResponse {
  return new StoredResponse({
    body: JSON.stringify(getUser.reply.parse(profile)),
    etag: versionEtag(version),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      [CALL_LINK_HEADER]: readPhone(profile.phone).call ?? '',
    },
  });
}
