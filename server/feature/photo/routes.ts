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
import { versionEtag, matchesEtag } from '#server/http/negotiation.ts';
import { createOwnerRateLimit } from '#server/http/limit/rate-limit.ts';
import { route } from '#server/http/route.ts';
import type { Decoded } from '#server/adapter/image/decode.ts';
import { findRow } from '#server/adapter/profile/store.ts';
import {
  photoBaseName,
  photoFileNames,
  photoFiles,
  parsePhotoName,
  photoHeaders,
  substituteFor,
} from '#server/adapter/storage/photo-store.ts';
import { acceptUploads } from '#server/adapter/upload/receive-upload.ts';
import type { PictureKind } from '#server/adapter/upload/uploads.ts';
import { updatePhoto } from '#server/adapter/profile/card.ts';
import type { VersionChange } from '#server/adapter/profile/card.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import { Unavailable } from '#server/adapter/database/database.ts';
import { findShownFiles } from '#server/adapter/profile/photo-files.ts';

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

function photoKind({ settings, dependencies, cards }: AppContext): PhotoKind {
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
      return updatePhoto(cards, { userId, ...change, now: clock.now() });
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

/** Rejects a name that its owner's card does not use before the store is read. */
export function servePhotos(context: AppContext): void {
  const { dependencies, responses } = context;

  async function checkName(name: string, userId: string): Promise<void> {
    const names = await findShownFiles(dependencies.database, userId).catch((error: unknown) => {
      if (error instanceof Unavailable) return undefined;
      throw error;
    });
    if (names === undefined) return;
    if (!names?.includes(name)) throw photoNotFoundError();
  }

  async function read(name: string): Promise<StoredResponse | null> {
    const { photos } = dependencies;
    const substitute = substituteFor(name);
    const body =
      (await photos.read(name)) ?? (substitute === null ? null : await photos.read(substitute));
    return body && photoResponse(name, body);
  }

  publicRoute(context, {
    url: '/photos/:name',
    userIdOf: ({ params }) => parsePhotoName(params['name'] ?? '')?.userId,
    pathOf: (_userId, { params }) => `/photos/${params['name']}`,
    respond: async (key, { params: { name = '' }, headers }) => {
      // The content under a name never changes, so a 304 needs no read of the file.
      if (matchesEtag(headers['if-none-match'], etagOf(name))) {
        await checkName(name, key.userId);
        return photoResponse(name, Buffer.alloc(0));
      }
      return responses.getOrRender(key, async (stale) => {
        await checkName(name, key.userId);
        return stale ?? read(name);
      });
    },
    unknown: () => {
      throw photoNotFoundError();
    },
  });
}

function etagOf(name: string): string {
  return `"${name}"`;
}

function photoResponse(name: string, body: Buffer): StoredResponse {
  const headers = { ...photoHeaders(name), 'cross-origin-resource-policy': 'cross-origin' };
  return new StoredResponse({ body, etag: etagOf(name), headers });
}

function photoNotFoundError(): ApiError {
  return new ApiError('not_found', 'There is no such photo.');
}
