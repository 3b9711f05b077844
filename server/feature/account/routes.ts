import type { Readable } from 'node:stream';

import {
  changePhone,
  deleteAccount,
  downloadAccount,
  endOtherSessions as endOtherSessionsCall,
  getAccount,
} from '#contract/account.ts';
import { getCardAddress, updateCardAddress } from '#contract/card-address.ts';
import { isReservedAddress } from '#domain/card-address.ts';
import { PHOTO_SIDE_PX_MAX } from '#domain/photo.ts';
import type { AppContext } from '#server/context.ts';
import { findAppearance } from '#server/feature/appearance/store.ts';
import { findFilledExtras } from '#server/feature/extra/store.ts';
import { addressPrefixes } from '#server/http/limit/address.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import type { Caller } from '#server/http/route.ts';
import { createDownloadLimit } from '#server/http/limit/download-limit.ts';
import { route } from '#server/http/route.ts';
import { deviceCookieHeader, isSecure } from '#server/adapter/otp/embedded/device.ts';
import { createDatabaseLimiter } from '#server/adapter/database/limiter.ts';
import { changeAddress, findOwnAddress } from '#server/adapter/profile/card-address.ts';
import { phoneEnd } from '#server/adapter/profile/phone.ts';
import { findLoginPhone, findOwnProfile } from '#server/adapter/profile/store.ts';
import { removeUser } from '#server/adapter/removal/remove-user.ts';
import { readJpeg, readLogo } from '#server/adapter/storage/photo-store.ts';
import { findFilledTranslations } from '#server/feature/translation/store.ts';

import { readContactUsage } from '#server/feature/contact/contacts.ts';
import { createArchive } from './archive.ts';
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
    const owner = { caller, address: addressPrefixes(request.ip) };
    await providerTokens.consumeOfOwner(
      [body.token, body.newToken],
      owner,
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
    const owner = { caller, address: addressPrefixes(request.ip) };
    await providerTokens.consumeOfOwner([body.token], owner, async (_, statements) => {
      const removal = { userId: caller.userId, precedingStatements: statements };
      // Another call has removed the user.
      if (!(await removeUser(context, removal))) throw sessionInvalidError();
    });
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
  const { settings, responses } = context;
  const { database, clock } = context.dependencies;
  const saves = createDatabaseLimiter();

  route(context, getCardAddress, ({ caller }) => findOwnAddress(database, caller.userId));

  route(context, updateCardAddress, async ({ caller: { userId }, body: { name } }) => {
    if (name !== null && isReservedAddress(name, settings.productName))
      throw new ApiError('invalid_input', 'This address is reserved.');
    const change = { userId, name, now: clock.now() };
    await saves.run(() => changeAddress({ database, responses }, change), userId);
    return findOwnAddress(database, userId);
  });
}

async function openArchive(context: AppContext, caller: Caller): Promise<Readable> {
  const { settings, sessions } = context;
  const { database, photos, clock } = context.dependencies;
  const [profile, loginPhone, list, usage, appearance, extras, translations, address] =
    await Promise.all([
      findOwnProfile(database, caller.userId),
      findLoginPhone(database, caller.userId),
      listSessions(sessions, caller),
      readContactUsage(database, caller.userId),
      findAppearance(database, caller.userId),
      findFilledExtras(database, caller.userId),
      findFilledTranslations(database, caller.userId),
      findOwnAddress(database, caller.userId),
    ]);
  if (profile === null || loginPhone === null || appearance === null) throw sessionInvalidError();
  return createArchive(database, {
    profile,
    loginPhone,
    sessions: list,
    photo: await readJpeg(photos, profile.profilePhoto, PHOTO_SIDE_PX_MAX),
    appearance: { palette: appearance.palette, hue: appearance.hue },
    extras,
    translations,
    address,
    logo: await readLogo(photos, appearance.logo),
    productName: settings.productName,
    usage,
    timeZone: settings.timeZone,
    countsVisits: settings.views.has('analytics'),
    now: clock.now(),
  });
}
