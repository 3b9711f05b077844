import {
  changePhone,
  deleteAccount,
  downloadAccount,
  endOtherSessions as endOtherSessionsCall,
  getAccount,
} from '#contract/account.ts';
import { getCardAddress, updateCardAddress } from '#contract/card-address.ts';
import { isReservedAddress } from '#domain/card-address.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError, fieldLockedError, sessionInvalidError } from '#server/error.ts';
import { createDownloadLimit } from '#server/http/download-limit.ts';
import { originOf } from '#server/http/proxy.ts';
import { route } from '#server/http/route.ts';
import { deviceCookieHeader, usesHttps } from '#server/adapter/otp/store.ts';
import { changeAddress, findOwnAddress } from '#server/adapter/profile/card-address.ts';
import { lastDigits } from '#server/adapter/profile/phone.ts';
import { findLoginPhone } from '#server/adapter/profile/store.ts';
import { removeUser } from '#server/adapter/remove-user.ts';

import { openArchive } from './archive.ts';
import { bringInRoutes } from './bring-in.ts';
import { endOtherSessions, listSessions, replaceLoginPhone } from './store.ts';

const CONTENT_DISPOSITION = 'attachment; filename="account-data.zip"';

const VERIFICATIONS: Readonly<Record<string, string>> = { embedded: 'code', oidc: 'redirect' };

export function accountRoutes(context: AppContext): void {
  const { settings, sessions, providerTokens, live } = context;
  const { database, clock, provider } = context.dependencies;
  const limitDownloads = createDownloadLimit(clock);

  route(context, getAccount, async ({ caller }) => {
    const [phone, list] = await Promise.all([
      findLoginPhone(database, caller.userId),
      listSessions(sessions, caller),
    ]);
    return {
      phoneEnd: phone === caller.userId ? '' : lastDigits(phone ?? ''),
      verification: VERIFICATIONS[provider.client.kind] ?? 'widget',
      sessions: list,
    };
  });

  route(context, endOtherSessionsCall, async ({ caller }) => {
    await endOtherSessions(database, caller);
    // The woken queue deletes the stopped webhook.
    context.webhookQueue.wake(caller.userId);
    await live.endInvalid(caller.userId);
    return {};
  });

  phoneRoute(context);
  cardAddressRoutes(context);
  bringInRoutes(context);

  route(context, deleteAccount, async ({ caller, body, request, reply }) => {
    await providerTokens.consumeForOwner(
      [body.token],
      { caller, request },
      async (_, statements) => {
        const removal = { userId: caller.userId, precedingStatements: statements };
        // If no user was removed, another call has removed the account in the meantime.
        if (!(await removeUser(context, removal))) throw sessionInvalidError();
      },
    );
    await live.endInvalid(caller.userId);
    void reply.header('set-cookie', deviceCookieHeader('', usesHttps(request, settings.publicUrl)));
    return {};
  });

  route(context, downloadAccount, async ({ caller, request, reply }) => {
    const origin = originOf(request, settings.publicUrl);
    const archive = await limitDownloads(caller.userId, () => openArchive(context, caller, origin));
    void reply.header('content-disposition', CONTENT_DISPOSITION);
    return archive;
  });
}

function phoneRoute(context: AppContext): void {
  const { settings, providerTokens, live } = context;
  const { database, clock, provider } = context.dependencies;

  route(context, changePhone, async ({ caller, body, request }) => {
    // The company's directory has the numbers, and the operator sets those of the accounts.
    if (provider.client.kind === 'oidc') throw fieldLockedError();
    await providerTokens.consumeForOwner(
      [body.token, body.newToken],
      { caller, request },
      ([{ phone: previous }, { phone }], statements) =>
        replaceLoginPhone(database, caller, {
          statements,
          signup: settings.signup,
          previous,
          phone,
          now: clock.now(),
        }),
    );
    context.webhookQueue.wake(caller.userId);
    await live.endInvalid(caller.userId);
    return {};
  });
}

function cardAddressRoutes(context: AppContext): void {
  const { settings, cards } = context;
  const { database, clock } = context.dependencies;

  route(context, getCardAddress, ({ caller }) => findOwnAddress(database, caller.userId));

  route(context, updateCardAddress, async ({ caller: { userId }, body: { name } }) => {
    if (name !== null && isReservedAddress(name, settings.productName))
      throw new ApiError('invalid_input', 'This name is reserved.');
    await changeAddress(cards, { userId, name, now: clock.now() });
    return findOwnAddress(database, userId);
  });
}
