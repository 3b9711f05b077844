import { randomBytes } from 'node:crypto';

import type { FastifyReply } from 'fastify';

import {
  LOOK_CHOSEN_HEADER,
  getAppearance,
  removeLogo,
  updateAppearance,
  uploadLogo,
} from '#contract/appearance.ts';
import { PHOTO_PALETTE_HEADER } from '#contract/user.ts';
import { GREY_PHOTO } from '#domain/appearance.ts';
import { LOGO_SIZE_BYTES_MAX, logoFileName } from '#domain/logo.ts';
import { photoFilePath } from '#domain/photo.ts';
import type { AppContext } from '#server/context.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { fieldLockedError, sessionInvalidError } from '#server/error.ts';
import { permittedVersions, route, versionEtag } from '#server/http/route.ts';
import type { DecodedLogo } from '#server/adapter/image/decode.ts';
import { createOwnerRateLimit } from '#server/http/limit.ts';
import { acceptUploads } from '#server/adapter/uploads.ts';
import { isLookChosen } from '#server/adapter/profile/card.ts';
import { changeOwnerRow, upsertStatement } from '#server/adapter/profile/owner-row.ts';
import { logoFileNames } from '#server/adapter/storage/photo-store.ts';

import { findAppearance, lookColumns } from './store.ts';
import type { AppearanceRow } from './store.ts';

const NAME_BYTES = 16;

export function appearanceRoutes(context: AppContext): void {
  const { settings, cards } = context;
  const isLocked = settings.lockedFields.has('appearance');

  route(context, getAppearance, async ({ caller, reply }) => {
    const found = await findAppearance(cards.database, caller.userId);
    if (!found) throw sessionInvalidError();
    const { photoPalette } = found;
    if (photoPalette !== null && photoPalette !== GREY_PHOTO)
      void reply.header(PHOTO_PALETTE_HEADER, photoPalette);
    return replyWithVersion(found, reply);
  });

  route(context, updateAppearance, async ({ body, caller: { userId }, request, reply }) => {
    if (isLocked) throw fieldLockedError();
    const versions = permittedVersions(request.headers['if-match']);
    const change = { table: 'appearances', userId, values: lookColumns(body), versions } as const;
    return replyWithVersion(await changeOwnerRow<AppearanceRow>(cards, change), reply);
  });

  logoRoutes(context);
}

function replyWithVersion(row: AppearanceRow, reply: FastifyReply) {
  const { version, palette, hue, swatch, logo } = row;
  void reply.header('etag', versionEtag(version));
  void reply.header(LOOK_CHOSEN_HEADER, String(isLookChosen(row)));
  return { palette, hue, swatch, logo: logo || null };
}

function logoRoutes(context: AppContext): void {
  const { settings, dependencies, uploads } = context;
  const { decoder, clock } = dependencies;
  const limit = createOwnerRateLimit(clock, 'logo uploads');

  async function storeLogo(userId: string, logo: Logo | null): Promise<AppearanceRow> {
    if (settings.lockedFields.has('appearance')) throw fieldLockedError();
    const baseName = `${userId}-${randomBytes(NAME_BYTES).toString('hex')}`;
    const name = logo ? logoFileName(baseName, logo) : '';
    const values = { logo: sql`${name && photoFilePath(name)}` };
    const change = { table: 'appearances', userId, values, versions: '*' } as const;
    const { after } = await uploads.replace<{ logo?: string }, AppearanceRow>({
      userId,
      checks: [sql`SELECT logo FROM appearances WHERE user_id = ${userId}`],
      files: logo ? [{ name, bytes: logo.bytes }] : [],
      change: upsertStatement(change),
      previousNames: ({ logo: previous = '' }) => logoFileNames(previous),
    });
    return after;
  }

  route(context, removeLogo, async ({ caller: { userId }, reply }) => {
    replyWithVersion(await uploads.remove('logo', userId, () => storeLogo(userId, null)), reply);
    return {};
  });

  acceptUploads(context.fastify, (fastify) => {
    route({ ...context, fastify }, uploadLogo, async ({ caller: { userId }, request, reply }) => {
      limit.countOrThrow(userId);
      const sizeBytesMax = LOGO_SIZE_BYTES_MAX;
      const changed = await uploads.upload(
        { name: 'logo', request, userId, sizeBytesMax, isIdRequired: false },
        decoder.decodeLogo,
        (logo: Logo) => storeLogo(userId, logo),
      );
      replyWithVersion(changed, reply);
      return { logo: changed.logo };
    });
  });
}

type Logo = Extract<DecodedLogo, { kind: 'logo' }>;
