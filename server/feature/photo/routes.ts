import {
  PHOTO_PALETTE_HEADER,
  PREVIOUS_ETAG_HEADER,
  removeProfileImage,
  uploadProfileImage,
} from '#contract/user.ts';
import { NO_HUE } from '#domain/appearance.ts';
import { IMAGE_SIDE_PX_MIN, IMAGE_SIZE_BYTES_MAX, photoPath } from '#domain/photo.ts';
import type { AppContext } from '#server/context.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { ApiError, fieldLockedError } from '#server/error.ts';
import { versionEtag } from '#server/http/negotiation.ts';
import { createOwnerRateLimit } from '#server/http/limit/rate-limit.ts';
import { route } from '#server/http/route.ts';
import type { Decoded } from '#server/adapter/image/decode.ts';
import { findRow } from '#server/adapter/profile/store.ts';
import { photoBaseName, photoFileNames, photoFiles } from '#server/adapter/storage/photo-store.ts';
import { acceptUploads } from '#server/adapter/upload/receive-upload.ts';
import type { PictureKind } from '#server/adapter/upload/uploads.ts';
import { updatePhoto } from '#server/adapter/profile/card.ts';
import type { VersionChange } from '#server/adapter/profile/card.ts';

import { servePhotos } from './serve.ts';

export function photoRoutes(context: AppContext): void {
  servePhotos(context);
  const { uploads } = context;
  const limit = createOwnerRateLimit(context.dependencies.clock, 'photo uploads');
  const photo = photoKind(context);
  context.fastify.addHook('onReady', () => uploads.start());

  route(context, removeProfileImage, async ({ caller, reply }) => {
    void reply.headers(versionHeaders(await uploads.remove(photo, caller.userId)));
    return {};
  });

  acceptUploads(context.fastify, (fastify) => {
    route({ ...context, fastify }, uploadProfileImage, async ({ caller, request, reply }) => {
      const { userId } = caller;
      limit.countOrThrow(userId);
      const { path, picture, changed } = await uploads.upload(photo, userId, request);
      void reply.headers(versionHeaders(changed));
      if (picture.palette !== NO_HUE) void reply.header(PHOTO_PALETTE_HEADER, picture.palette);
      return { profilePhoto: path };
    });
  });
}

type Photo = Extract<Decoded, { kind: 'pictures' }>;
type PhotoKind = PictureKind<Photo, NonNullable<Awaited<ReturnType<typeof find>>>, VersionChange>;

async function find(database: Database, userId: string, isLocked: boolean) {
  const row = await findRow(database, userId);
  if (isLocked && row && row.profile_photo !== '') throw fieldLockedError();
  return row && { ...row, path: row.profile_photo };
}

function photoKind({ settings, dependencies, responses }: AppContext): PhotoKind {
  const isLocked = settings.lockedFields.has('photo');
  const { database, decoder, clock } = dependencies;
  return {
    name: 'photo',
    sizeBytesMax: IMAGE_SIZE_BYTES_MAX,
    isIdRequired: true,
    decode: async (read) => toPhoto(await decoder.decode(read)),
    find: (userId) => find(database, userId, isLocked),
    files: (userId, { pictures }, previous) => {
      const baseName = photoBaseName(userId, pictures, previous);
      return { path: photoPath(baseName), files: photoFiles(baseName, pictures) };
    },
    fileNames: photoFileNames,
    change: ({ userId, found, path: profilePhoto, picture }) => {
      const change = { previous: found.path, profilePhoto, palette: picture?.palette ?? null };
      return updatePhoto({ database, responses }, { userId, ...change, now: clock.now() });
    },
  };
}

function toPhoto(decoded: Decoded): Photo {
  if (decoded.kind === 'pictures') return decoded;
  throw new ApiError(
    'not_a_picture',
    decoded.reason === 'too_small'
      ? `image must be at least ${IMAGE_SIDE_PX_MIN} x ${IMAGE_SIDE_PX_MIN} pixels`
      : 'image is not a JPEG, PNG or WebP picture that can be read',
  );
}

function versionHeaders({ previous, current }: VersionChange): Readonly<Record<string, string>> {
  return {
    etag: versionEtag(current),
    [PREVIOUS_ETAG_HEADER]: versionEtag(previous),
  };
}
