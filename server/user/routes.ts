import { UNKNOWN_USER } from '#domain/profile.ts';
import { getUser, logout, updateUser } from '#contract/user.ts';
import { Fault } from '#server/http/fault.ts';
import { route } from '#server/http/route.ts';
import type { House } from '#server/http/route.ts';
import { sessionInvalid } from '#server/http/session.ts';

import { changeProfile, findProfile } from './store.ts';

export function userRoutes(house: House): void {
  const { database, clock } = house.parts;

  route(house, getUser, async ({ params, request }) => {
    house.reading.count(request);
    const profile = await findProfile(database, params.id);
    if (!profile) throw new Fault('user_unknown', UNKNOWN_USER.bio);
    return profile;
  });

  route(house, updateUser, async ({ body, caller }) => {
    const profile = await changeProfile(database, {
      ...body,
      userId: caller.userId,
      now: clock.now(),
    });
    if (!profile) throw sessionInvalid();
    house.cards.drop(caller.userId);
    return profile;
  });

  route(house, logout, async ({ caller }) => {
    await database.run('DELETE FROM sessions WHERE token_hash = $1', [caller.tokenHash]);
    return {};
  });
}
