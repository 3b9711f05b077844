import type { FastifyReply } from 'fastify';

import { getExtras, updateExtras } from '#contract/extras.ts';
import { CALL_LINK_HEADER } from '#contract/user.ts';
import { shownExtras, withParsedLinks } from '#domain/extras.ts';
import type { AppContext } from '#server/context.ts';
import { sessionInvalidError } from '#server/error.ts';
import { permittedVersions, route, versionEtag } from '#server/http/route.ts';

import { changeExtras, extraValues, findExtras } from './store.ts';
import type { ExtrasRow } from './store.ts';

export function extrasRoutes(context: AppContext): void {
  const { dependencies, cards, providerTokens, notificationQueue } = context;
  const { database, clock, readPhone } = dependencies;
  const { cardExtras } = context.settings;

  const find = async (userId: string): Promise<ExtrasRow> => {
    const row = await findExtras(database, userId);
    if (!row) throw sessionInvalidError();
    return row;
  };
  const replyWithVersion = (row: ExtrasRow, reply: FastifyReply) => {
    const extras = shownExtras(row, cardExtras);
    void reply.header('etag', versionEtag(row.version));
    void reply.header(CALL_LINK_HEADER, readPhone(extras.phone ?? '').call ?? '');
    return withParsedLinks(extras);
  };

  route(context, getExtras, async ({ caller, reply }) =>
    replyWithVersion(await find(caller.userId), reply),
  );

  route(context, updateExtras, async ({ body: { token, ...body }, caller, request, reply }) => {
    const { userId } = caller;
    const values = extraValues(body, cardExtras);
    const versions = permittedVersions(request.headers['if-match']);
    const change = { userId, versions, now: clock.now() };
    const { upi, ...others } = values;
    // An unchanged UPI ID is not written, so that it cannot overwrite one that another call saves now.
    if (!upi || upi === (await find(userId)).upi) {
      const unverified = { ...change, values: upi === '' ? values : others };
      return replyWithVersion(await changeExtras(cards, unverified), reply);
    }
    const row = await providerTokens.consumeForOwner(
      [token],
      { caller, request },
      (_, verification) => changeExtras(cards, { ...change, values, verification }),
    );
    notificationQueue.wake(userId);
    return replyWithVersion(row, reply);
  });
}
