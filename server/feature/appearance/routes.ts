import { randomBytes } from 'node:crypto';

import multipart from '@fastify/multipart';
import type { FastifyReply } from 'fastify';

import { getAppearance, removeLogo, updateAppearance, uploadLogo } from '#contract/appearance.ts';
import { PHOTO_PALETTE_HEADER } from '#contract/user.ts';
import { NO_HUE } from '#domain/appearance.ts';
import { LOGO_SIZE_BYTES_MAX, logoFileName } from '#domain/logo.ts';
import { photoFilePath } from '#domain/photo.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { createDatabaseLane } from '#server/adapter/database/lane.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { ANY_VERSION, permittedVersions, versionEtag } from '#server/http/negotiation.ts';
import { route } from '#server/http/route.ts';
import type { DecodedLogo } from '#server/adapter/image/decode.ts';
import { createOwnerRateLimit } from '#server/http/limit/rate-limit.ts';
import { UploadLane } from '#server/feature/photo/upload-lane.ts';
import { receiveUpload } from '#server/feature/photo/upload.ts';
import { changeOwnerRow } from '#server/adapter/profile/owner-row.ts';
import { logoFileNames } from '#server/adapter/storage/photo-store.ts';

import { findAppearance } from './store.ts';
import type { AppearanceRow, StoredAppearance } from './store.ts';

const NAME_BYTES = 16;

type Change = (
  userId: string,
  values: Record<string, Sql>,
  versions?: string,
) => Promise<AppearanceRow>;

/** docs/product.md#appearance. */
export function appearanceRoutes(context: AppContext): void {
  const { dependencies, responses } = context;
  const { database } = dependencies;
  const saves = createDatabaseLane();
  const change: Change = (userId, values, versions = ANY_VERSION) =>
    saves.run(
      () =>
        changeOwnerRow({ database, responses }, { table: 'appearances', userId, values, versions }),
      userId,
    );

  route(context, getAppearance, async ({ caller, reply }) => {
    const { photoPalette, ...found } = await find(database, caller.userId);
    if (photoPalette !== null && photoPalette !== NO_HUE)
      void reply.header(PHOTO_PALETTE_HEADER, photoPalette);
    return shown(found, reply);
  });

  route(context, updateAppearance, async ({ body, caller: { userId }, request, reply }) => {
    const versions = permittedVersions(request.headers['if-match']);
    const { palette, hue } = body;
    const values = { palette: sql`${palette}`, hue: sql`CAST(${hue} AS SMALLINT)` };
    return shown(await change(userId, values, versions), reply);
  });

  logoRoutes(context, change);
}

async function find(database: Database, userId: string): Promise<StoredAppearance> {
  const found = await findAppearance(database, userId);
  if (!found) throw sessionInvalidError();
  return found;
}

function shown({ version, palette, hue, logo }: AppearanceRow, reply: FastifyReply) {
  void reply.header('etag', versionEtag(version));
  return { palette, hue, logo: logo || null };
}

function logoRoutes(context: AppContext, change: Change): void {
  const { settings, dependencies } = context;
  const { database, photos, decoder, clock } = dependencies;
  const uploads = new UploadLane('logo');
  const limit = createOwnerRateLimit(clock, 'logo uploads');

  /** Removes the file of the previous logo too. After a failure the cleanup removes it. */
  async function replaceLogo(userId: string, logo: string, reply: FastifyReply): Promise<void> {
    const previous = await find(database, userId);
    shown(await change(userId, { logo: sql`${logo}` }), reply);
    await photos.remove(logoFileNames(previous.logo)).catch(() => undefined);
  }

  route(context, removeLogo, async ({ caller: { userId }, reply }) => {
    uploads.end(userId, 'The logo was removed meanwhile.');
    await replaceLogo(userId, '', reply);
    return {};
  });

  // In a plugin, so that no other endpoint accepts multipart bodies.
  void context.fastify.register(async (fastify) => {
    await fastify.register(multipart);
    route({ ...context, fastify }, uploadLogo, async ({ caller: { userId }, request, reply }) => {
      limit.countOrThrow(userId);
      return uploads.run(userId, async (signal) => {
        const upload = { request, userId, folder: settings.dataDir, signal };
        const options = { sizeBytesMax: LOGO_SIZE_BYTES_MAX, isIdRequired: false };
        const decoded = await receiveUpload({ ...upload, ...options }, (read) =>
          decoder.decodeLogo(read),
        );
        signal.throwIfAborted();
        const file = logoFile(userId, decoded);
        await photos.save([file]);
        const logo = photoFilePath(file.name);
        await replaceLogo(userId, logo, reply);
        return { logo };
      });
    });
  });
}

function logoFile(userId: string, decoded: DecodedLogo) {
  if (decoded.kind === 'rejected')
    throw new ApiError(
      'not_a_picture',
      'image is not a JPEG, PNG or WebP picture that can be read',
    );
  const baseName = `${userId}-${randomBytes(NAME_BYTES).toString('hex')}`;
  return { name: logoFileName(baseName, decoded), bytes: decoded.bytes };
}
