import multipart from '@fastify/multipart';

import {
  PHOTO_PALETTE_HEADER,
  PREVIOUS_ETAG_HEADER,
  removeProfileImage,
  uploadProfileImage,
} from '#contract/user.ts';
import { NO_HUE } from '#domain/appearance.ts';
import { IMAGE_SIDE_PX_MIN, IMAGE_SIZE_BYTES_MAX, photoPath } from '#domain/photo.ts';
import type { AppContext } from '#server/context.ts';
import { createDatabaseLane } from '#server/adapter/database/lane.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { versionEtag } from '#server/http/negotiation.ts';
import { createOwnerRateLimit } from '#server/http/limit/rate-limit.ts';
import { route } from '#server/http/route.ts';
import type { Decoded, Picture } from '#server/adapter/image/decode.ts';
import { findVersionedProfile, updatePhoto } from '#server/adapter/profile/store.ts';
import type { VersionChange } from '#server/adapter/profile/store.ts';
import { photoBaseName, photoFileNames, photoFiles } from '#server/adapter/storage/photo-store.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';

import { servePhotos } from './serve.ts';
import { UploadLane } from './upload-lane.ts';
import { receiveUpload } from './upload.ts';

/** More than the uploads of one owner that several nodes accept at the same time. */
const REPLACE_ATTEMPTS_MAX = 10;
const RETRY_AFTER_SECONDS = 5;

/** Registers the routes of photos: owners upload and remove them, everybody may read them. */
export function photoRoutes(context: AppContext): void {
  servePhotos(context);
  const { dependencies, settings } = context;
  const limit = createOwnerRateLimit(dependencies.clock, 'photo uploads');
  const uploads = new UploadLane('photo');
  // An owner's photos are replaced one after the other, with one database connection.
  const replacements = createDatabaseLane();

  const replace = (userId: string, photo: Photo, signal?: AbortSignal) =>
    replacements.run(() => {
      signal?.throwIfAborted();
      return replacePhoto(context, userId, photo);
    }, userId);

  route(context, removeProfileImage, async ({ caller: { userId }, reply }) => {
    // Otherwise a photo that is still decoded would appear after it was removed.
    uploads.end(userId, 'The photo was removed meanwhile.');
    const { versions } = await replace(userId, NO_PHOTO);
    void reply.headers(versionHeaders(versions));
    return {};
  });

  // In a plugin, so that no other endpoint accepts multipart bodies.
  void context.fastify.register(async (fastify) => {
    await fastify.register(multipart);
    route({ ...context, fastify }, uploadProfileImage, async ({ caller, request, reply }) => {
      const { userId } = caller;
      limit.countOrThrow(userId);
      const { versions, profilePhoto, palette } = await uploads.run(userId, async (signal) => {
        const limits = { sizeBytesMax: IMAGE_SIZE_BYTES_MAX, isIdRequired: true };
        const upload = { request, userId, folder: settings.dataDir, signal, ...limits };
        const decoded = await receiveUpload(upload, (read) => dependencies.decoder.decode(read));
        return replace(userId, photoOf(decoded), signal);
      });
      void reply.headers(versionHeaders(versions));
      if (palette !== null && palette !== NO_HUE) void reply.header(PHOTO_PALETTE_HEADER, palette);
      return { profilePhoto };
    });
  });
}

type Photo = Pick<Extract<Decoded, { kind: 'pictures' }>, 'pictures'> & {
  readonly palette: number | null;
};

const NO_PHOTO: Photo = { pictures: [], palette: null };

function photoOf(decoded: Decoded): Photo {
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
    ...(previous === null ? {} : { [PREVIOUS_ETAG_HEADER]: versionEtag(previous) }),
  };
}

interface ReplacedPhoto {
  /** The path of the photo, or ''. */
  readonly profilePhoto: string;
  readonly versions: VersionChange;
  readonly palette: number | null;
}

/**
 * Replaces a user's photo; without pictures it removes the photo. The new files
 * are durable before the row changes, and the old files are removed after it. The row changes only if
 * it still has the photo that was read, so each of several concurrent uploads removes exactly the
 * files that it replaced. An interruption at any point leaves the card complete, and the cleanup
 * removes the files that are left (docs/security.md#photos). Throws ApiError.
 */
async function replacePhoto(
  { dependencies: { database, photos, clock }, responses }: AppContext,
  userId: string,
  { pictures, palette }: Photo,
): Promise<ReplacedPhoto> {
  for (let attempt = 1; attempt <= REPLACE_ATTEMPTS_MAX; attempt += 1) {
    const found = await findVersionedProfile(database, userId);
    if (found === null) throw sessionInvalidError();
    const previous = found.profile.profilePhoto;
    const profilePhoto = await savePhoto(photos, { userId, pictures, previous });
    const versions = await updatePhoto(
      { database, responses },
      {
        userId,
        previous,
        previousVersion: found.version,
        profilePhoto,
        palette,
        now: clock.now(),
      },
    );
    if (versions !== null) {
      if (profilePhoto !== previous) await removeFiles(photos, photoFileNames(previous));
      return { profilePhoto, versions, palette };
    }
    await removeFiles(photos, photoFileNames(profilePhoto));
  }
  throw new ApiError('unavailable', 'Other photos of this card are being saved. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

interface NewPhoto {
  readonly userId: string;
  readonly pictures: readonly Picture[];
  /** The path of the photo that it replaces, or ''. */
  readonly previous: string;
}

/** Saves the files of a photo and returns its path; '' without pictures. */
async function savePhoto(
  photos: PhotoStore,
  { userId, pictures, previous }: NewPhoto,
): Promise<string> {
  if (pictures.length === 0) return '';
  const baseName = photoBaseName(userId, pictures, previous);
  await photos.save(photoFiles(baseName, pictures));
  return photoPath(baseName);
}

/** Removes files. After a failure the cleanup removes those that remain. */
async function removeFiles(photos: PhotoStore, names: readonly string[]): Promise<void> {
  await photos.remove(names).catch(() => undefined);
}
