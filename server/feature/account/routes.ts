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
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { createDownloadLimit } from '#server/http/limit/download-limit.ts';
import { route } from '#server/http/route.ts';
import { deviceCookieHeader, isSecure } from '#server/adapter/otp/embedded/device.ts';
import { changeAddress, findOwnAddress } from '#server/adapter/profile/card-address.ts';
import { phoneEnd } from '#server/adapter/profile/phone.ts';
import { findLoginPhone } from '#server/adapter/profile/store.ts';
import { removeUser } from '#server/adapter/removal/remove-user.ts';

import { openArchive } from './archive.ts';
import { endOtherSessions, listSessions, replaceLoginPhone } from './store.ts';

const CONTENT_DISPOSITION = 'attachment; filename="account-data.zip"';

export function accountRoutes(context: AppContext): void {
  const { settings, sessions, providerTokens } = context;
  const { database, clock, provider } = context.dependencies;
  const limitDownloads = createDownloadLimit(clock);

  route(context, getAccount, async ({ caller }) => {
    const [phone, list] = await Promise.all([
      findLoginPhone(database, caller.userId),
      listSessions(sessions, caller),
    ]);
    return {
      phoneEnd: phoneEnd(phone ?? ''),
      verification: provider.client.kind === 'embedded' ? 'code' : 'widget',
      sessions: list,
    };
  });

  route(context, endOtherSessionsCall, async ({ caller }) => {
    await endOtherSessions(database, caller);
    return {};
  });

  route(context, changePhone, async ({ caller, body, request }) => {
    await providerTokens.consumeOfOwner(
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
    return {};
  });

  cardAddressRoutes(context);

  route(context, deleteAccount, async ({ caller, body, request, reply }) => {
    await providerTokens.consumeOfOwner(
      [body.token],
      { caller, request },
      async (_, statements) => {
        const removal = { userId: caller.userId, precedingStatements: statements };
        // Another call has removed the user.
        if (!(await removeUser(context, removal))) throw sessionInvalidError();
      },
    );
    void reply.header('set-cookie', deviceCookieHeader('', isSecure(request, settings.publicUrl)));
    return {};
  });

  route(context, downloadAccount, async ({ caller, reply }) => {
    const archive = await limitDownloads(caller.userId, () => openArchive(context, caller));
    void reply.header('content-disposition', CONTENT_DISPOSITION);
    return archive;
  });
}

function cardAddressRoutes(context: AppContext): void {
  const { settings, cards } = context;
  const { database, clock } = context.dependencies;

  route(context, getCardAddress, ({ caller }) => findOwnAddress(database, caller.userId));

  route(context, updateCardAddress, async ({ caller: { userId }, body: { name } }) => {
    if (name !== null && isReservedAddress(name, settings.productName))
      throw new ApiError('invalid_input', 'This address is reserved.');
    await changeAddress(cards, { userId, name, now: clock.now() });
    return findOwnAddress(database, userId);
  });
}
