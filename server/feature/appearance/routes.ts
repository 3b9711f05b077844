import { randomBytes } from 'node:crypto';

import type { FastifyReply } from 'fastify';

import { getAppearance, removeLogo, updateAppearance, uploadLogo } from '#contract/appearance.ts';
import { PHOTO_PALETTE_HEADER } from '#contract/user.ts';
import { NO_HUE } from '#domain/appearance.ts';
import { LOGO_SIZE_BYTES_MAX, logoFileName } from '#domain/logo.ts';
import { photoFilePath } from '#domain/photo.ts';
import type { AppContext } from '#server/context.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { ApiError, fieldLockedError, sessionInvalidError } from '#server/error.ts';
import { permittedVersions, versionEtag } from '#server/http/negotiation.ts';
import { route } from '#server/http/route.ts';
import type { DecodedLogo } from '#server/adapter/image/decode.ts';
import { createOwnerRateLimit } from '#server/http/limit/rate-limit.ts';
import { acceptUploads } from '#server/adapter/upload/receive-upload.ts';
import type { PictureKind } from '#server/adapter/upload/uploads.ts';
import { changeOwnerRow, tryChangeOwnerRow } from '#server/adapter/profile/owner-row.ts';
import { logoFileNames } from '#server/adapter/storage/photo-store.ts';

import { findAppearance } from './store.ts';
import type { AppearanceRow, StoredAppearance } from './store.ts';

const NAME_BYTES = 16;

export function appearanceRoutes(context: AppContext): void {
  const { settings, cards } = context;
  const isLocked = settings.lockedFields.has('appearance');

  route(context, getAppearance, async ({ caller, reply }) => {
    const found = await findAppearance(cards.database, caller.userId);
    if (!found) throw sessionInvalidError();
    const { photoPalette } = found;
    if (photoPalette !== null && photoPalette !== NO_HUE)
      void reply.header(PHOTO_PALETTE_HEADER, photoPalette);
    return shown(found, reply);
  });

  route(context, updateAppearance, async ({ body, caller: { userId }, request, reply }) => {
    if (isLocked) throw fieldLockedError();
    const versions = permittedVersions(request.headers['if-match']);
    const { palette, hue } = body;
    const values = { palette: sql`${palette}`, hue: sql`CAST(${hue} AS SMALLINT)` };
    const change = { table: 'appearances', userId, values, versions } as const;
    return shown(await changeOwnerRow<AppearanceRow>(cards, change), reply);
  });

  logoRoutes(context);
}

function shown({ version, palette, hue, logo }: AppearanceRow, reply: FastifyReply) {
  void reply.header('etag', versionEtag(version));
  return { palette, hue, logo: logo || null };
}

function logoRoutes(context: AppContext): void {
  const { uploads } = context;
  const limit = createOwnerRateLimit(context.dependencies.clock, 'logo uploads');
  const logo = logoKind(context);

  route(context, removeLogo, async ({ caller: { userId }, reply }) => {
    shown(await uploads.remove(logo, userId), reply);
    return {};
  });

  acceptUploads(context.fastify, (fastify) => {
    route({ ...context, fastify }, uploadLogo, async ({ caller: { userId }, request, reply }) => {
      limit.countOrThrow(userId);
      const { path, changed } = await uploads.upload(logo, userId, request);
      shown(changed, reply);
      return { logo: path };
    });
  });
}

type Logo = Extract<DecodedLogo, { kind: 'logo' }>;
type LogoRow = StoredAppearance & { readonly path: string };

function logoKind({
  settings,
  dependencies,
  cards,
}: AppContext): PictureKind<Logo, LogoRow, AppearanceRow> {
  const { database, decoder } = dependencies;
  return {
    name: 'logo',
    sizeBytesMax: LOGO_SIZE_BYTES_MAX,
    isIdRequired: false,
    decode: async (read) => toLogo(await decoder.decodeLogo(read)),
    find: async (userId) => {
      if (settings.lockedFields.has('appearance')) throw fieldLockedError();
      const row = await findAppearance(database, userId);
      return row && { ...row, path: row.logo };
    },
    files: (userId, decoded) => {
      const baseName = `${userId}-${randomBytes(NAME_BYTES).toString('hex')}`;
      const name = logoFileName(baseName, decoded);
      return { path: photoFilePath(name), files: [{ name, bytes: decoded.bytes }] };
    },
    fileNames: logoFileNames,
    change: ({ userId, found, path }) =>
      tryChangeOwnerRow(cards, {
        table: 'appearances',
        userId,
        values: { logo: sql`${path}` },
        versions: [found.version],
      }),
  };
}

function toLogo(decoded: DecodedLogo): Logo {
  if (decoded.kind === 'logo') return decoded;
  throw new ApiError('not_a_picture', 'image is not a JPEG, PNG or WebP picture that can be read');
}
