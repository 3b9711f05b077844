import type { FastifyReply } from 'fastify';

import { getExtras, updateExtras } from '#contract/extras.ts';
import { CALL_LINK_HEADER } from '#contract/user.ts';
import { EXTRAS, shownExtras, withParsedLinks } from '#domain/extras.ts';
import type { Extra } from '#domain/extras.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { permittedVersions, route, versionEtag } from '#server/http/route.ts';

import { changeExtras, findExtras } from './store.ts';
import type { ExtrasRow } from './store.ts';

type Values = Partial<Record<Extra, string>>;

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
    const values = valuesOf(body, cardExtras);
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

const toJson = (links: readonly unknown[] | null) => (links?.length ? JSON.stringify(links) : '');

function valuesOf(
  body: Readonly<Partial<Record<Extra, string | readonly unknown[] | null>>>,
  cardExtras: ReadonlySet<Extra>,
): Values {
  const values: Values = {};
  for (const extra of EXTRAS) {
    const value = body[extra];
    if (value === undefined) continue;
    if (value && !cardExtras.has(extra))
      throw new ApiError('invalid_input', `${extra} is not one of CARD_EXTRAS`);
    values[extra] = typeof value === 'object' ? toJson(value) : value;
  }
  return values;
}
