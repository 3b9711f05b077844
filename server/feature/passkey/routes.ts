import {
  addPasskey,
  getPasskeyOptions,
  getPasskeyRequest,
  getPasskeys,
  removePasskey,
  signInWithPasskey,
  verifyPasskey,
} from '#contract/passkey.ts';
import { formatDay } from '#domain/local-time.ts';
import { PASSKEYS_MAX } from '#domain/passkey.ts';
import type { AppContext } from '#server/context.ts';
import { UniqueViolation, replaceError } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { requireSessionStatement } from '#server/adapter/otp/provider-tokens.ts';
import { freshCodeTicket, newPasskeyToken, readCookieTicket } from '#server/adapter/otp/ticket.ts';
import { maskPhone } from '#server/adapter/profile/phone.ts';
import { findLoginPhone, findRow, lockCardStatements } from '#server/adapter/profile/store.ts';
import { queueNoticeStatement } from '#server/adapter/push/notification.ts';
import { startSession } from '#server/adapter/session.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { route } from '#server/http/route.ts';
import type { Call } from '#server/http/route.ts';

import {
  newCreationOptions,
  newRequestOptions,
  passkeyRejectedError,
  tooManyPasskeysError,
  verifyNewPasskey,
  verifyPasskeyUse,
} from './ceremony.ts';

/** Registers the calls for passkeys (docs/develop/product.md#passkeys). */
export function passkeyRoutes(context: AppContext): void {
  const { database, clock, secret } = context.dependencies;
  changeRoutes(context);

  route(context, getPasskeyRequest, async ({ request, reply }) => {
    const { options, header } = newRequestOptions(context, request);
    void reply.header('set-cookie', header);
    return options;
  });

  route(context, signInWithPasskey, async ({ body, ...exchange }) => {
    const { loginPhone, statements } = await verifyPasskeyUse(context, exchange, body);
    const proven = { phone: loginPhone, proof: statements };
    return startSession(context, exchange.request, proven);
  });

  route(context, verifyPasskey, async ({ body, caller, ...exchange }) => {
    const { userId, statements } = await verifyPasskeyUse(context, exchange, body);
    if (userId !== caller.userId) throw passkeyRejectedError();
    await database.batch(statements);
    return { token: newPasskeyToken(secret, caller, clock.now()) };
  });

  route(context, getPasskeys, async ({ caller }) => {
    const rows = await listPasskeys(database, caller.userId);
    const passkeys = rows.map(({ id, name, addedDay, usedDay }) => ({
      id,
      name,
      addedDay: formatDay(addedDay),
      usedDay: usedDay === null ? null : formatDay(usedDay),
    }));
    return { passkeys };
  });
}

/** The calls that make a new passkey, add it and remove one. */
function changeRoutes(context: AppContext): void {
  const { dependencies, providerTokens, notificationQueue } = context;
  const { database, clock } = dependencies;

  const isFresh = ({ request, caller }: Pick<Call<typeof addPasskey>, 'request' | 'caller'>) =>
    readCookieTicket(context, request, freshCodeTicket(caller.tokenHash)) !== null;

  route(context, getPasskeyOptions, async ({ caller, request, reply }) => {
    const { userId } = caller;
    const [row, phone, passkeys] = await Promise.all([
      findRow(database, userId),
      findLoginPhone(database, userId),
      listPasskeys(database, userId),
    ]);
    if (!row || phone === null) throw sessionInvalidError();
    if (passkeys.length >= PASSKEYS_MAX) throw tooManyPasskeysError();
    const { options, header } = await newCreationOptions(context, request, {
      userId,
      name: row.name || maskPhone(phone),
      passkeys,
    });
    void reply.header('set-cookie', header);
    return { ...options, needsVerification: !isFresh({ request, caller }) };
  });

  /** Stores a change, and notifies every device of the owner. */
  async function change(
    notice: 'passkey-added' | 'passkey-removed',
    userId: string,
    statements: readonly Statement[],
  ): Promise<void> {
    const batch = [...statements, queueNoticeStatement(notice, userId, clock.now())];
    await database.batch(batch).catch(replaceError(UniqueViolation, passkeyRejectedError));
    notificationQueue.wake(userId);
  }

  route(context, addPasskey, async ({ caller, body: { token, credential }, request }) => {
    const { userId } = caller;
    const added = await verifyNewPasskey(context, { request, userId }, credential);
    const locks = [...lockCardStatements(userId), requireSessionStatement(caller)];
    if (isFresh({ request, caller })) await change('passkey-added', userId, [...locks, ...added]);
    else
      await providerTokens.consumeForOwner([token], { caller, request }, (_, verification) =>
        change('passkey-added', userId, [...verification, ...added]),
      );
    return {};
  });

  route(context, removePasskey, async ({ caller, body: { token, passkey }, request }) => {
    const { userId } = caller;
    await providerTokens.consumeForOwner([token], { caller, request }, (_, verification) =>
      change('passkey-removed', userId, [
        ...verification,
        {
          sql: sql`DELETE FROM passkeys WHERE id = ${passkey} AND user_id = ${userId} RETURNING id`,
          errorIfNoRow: passkeyRemovedError,
        },
      ]),
    );
    return {};
  });
}

const passkeyRemovedError = () =>
  new ApiError('not_found', 'This passkey has already been removed.');

interface StoredPasskey extends Readonly<Record<'id' | 'name', string>> {
  readonly addedDay: number;
  readonly usedDay: number | null;
}

const listPasskeys = (database: Database, userId: string) =>
  database.all<StoredPasskey>(sql`SELECT id, name, added_day AS "addedDay", used_day AS "usedDay"
    FROM passkeys WHERE user_id = ${userId} ORDER BY added_day, id`);
