import {
  PHOTO_PALETTE_HEADER,
  PREVIOUS_ETAG_HEADER,
  removeProfileImage,
  uploadProfileImage,
} from '#contract/user.ts';
import { GREY_PHOTO } from '#domain/appearance.ts';
import { IMAGE_SIZE_BYTES_MAX } from '#domain/photo.ts';
import type { AppContext } from '#server/context.ts';
import { ApiError, fieldLockedError } from '#server/error.ts';
import { matchesEtag } from '#server/http/representation.ts';
import { createOwnerRateLimit } from '#server/http/limit.ts';
import { route, versionEtag } from '#server/http/route.ts';
import type { Decoded } from '#server/adapter/image/decode.ts';
import { cardStatement } from '#server/adapter/profile/store.ts';
import type { UserRow } from '#server/adapter/profile/store.ts';
import {
  newPhoto,
  photoFileNames,
  parsePhotoName,
  photoHeaders,
  substituteFor,
} from '#server/adapter/storage/photo-store.ts';
import { acceptUploads } from '#server/adapter/uploads.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import { Unavailable } from '#server/adapter/database/database.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { findPublicFiles } from '#server/adapter/profile/photo-files.ts';

export function photoRoutes(context: AppContext): void {
  servePhotos(context);
  const { settings, dependencies, uploads } = context;
  const { decoder, clock } = dependencies;
  const isLocked = settings.lockedFields.has('photo');
  const limit = createOwnerRateLimit(clock, 'photo uploads');
  context.fastify.addHook('onReady', () => uploads.start());

  async function storePhoto(userId: string, photo: Photo | null) {
    const { profilePhoto, files } = photo ? newPhoto(userId, photo.pictures) : NO_PHOTO;
    const values = { profile_photo: profilePhoto, photo_palette: photo && photo.palette };
    const { before, after } = await uploads.replace<Replaced, UserRow>({
      userId,
      checks: isLocked ? [rejectPhotoStatement(userId)] : [],
      files,
      change: cardStatement({ userId, now: clock.now(), values, condition: sql`1 = 1` }),
      previousNames: ({ profile_photo: previous }) => photoFileNames(previous),
    });
    const headers = {
      etag: versionEtag(after.version),
      [PREVIOUS_ETAG_HEADER]: versionEtag(before.version),
    };
    return { headers, profilePhoto };
  }

  route(context, removeProfileImage, async ({ caller: { userId }, reply }) => {
    const { headers } = await uploads.remove('photo', userId, () => storePhoto(userId, null));
    void reply.headers(headers);
    return {};
  });

  acceptUploads(context.fastify, (fastify) => {
    route({ ...context, fastify }, uploadProfileImage, async ({ caller, request, reply }) => {
      const { userId } = caller;
      limit.countOrThrow(userId);
      const sizeBytesMax = IMAGE_SIZE_BYTES_MAX;
      const { headers, profilePhoto } = await uploads.upload(
        { name: 'photo', request, userId, sizeBytesMax, isIdRequired: true },
        decoder.decode,
        async (photo: Photo) => {
          const stored = await storePhoto(userId, photo);
          if (photo.palette !== GREY_PHOTO) void reply.header(PHOTO_PALETTE_HEADER, photo.palette);
          return stored;
        },
      );
      void reply.headers(headers);
      return { profilePhoto };
    });
  });
}

type Photo = Extract<Decoded, { kind: 'pictures' }>;

type Replaced = Pick<UserRow, 'version' | 'profile_photo'>;
const NO_PHOTO = { profilePhoto: '', files: [] };

function rejectPhotoStatement(userId: string): Statement {
  return {
    sql: sql`SELECT id FROM users WHERE id = ${userId} AND profile_photo <> ''`,
    errorIfRow: fieldLockedError,
  };
}

/** Serves photo files. A name that its owner's card does not use is rejected before the store is read. */
export function servePhotos(context: AppContext): void {
  const { responses } = context;
  const { database, photos } = context.dependencies;

  async function checkName(name: string, userId: string): Promise<void> {
    const names = await findPublicFiles(database, userId).catch((error: unknown) => {
      if (error instanceof Unavailable) return [name];
      throw error;
    });
    if (!names?.includes(name)) throw photoNotFoundError();
  }

  async function read(name: string): Promise<StoredResponse | null> {
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

const etagOf = (name: string) => `"${name}"`;

function photoResponse(name: string, body: Buffer): StoredResponse {
  const headers = { ...photoHeaders(name), 'cross-origin-resource-policy': 'cross-origin' };
  return new StoredResponse({ body, etag: etagOf(name), headers });
}

function photoNotFoundError(): ApiError {
  return new ApiError('not_found', "There's no such photo.");
}
