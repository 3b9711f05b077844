import { ApiError } from '#server/error.ts';
import { StoredResponse } from '#server/http/stored-response.ts';
import { matchesEtag } from '#server/http/negotiation.ts';
import { publicRoute } from '#server/http/cache/public-route.ts';
import type { AppContext } from '#server/context.ts';
import { Unavailable } from '#server/adapter/database/database.ts';
import { findShownFiles } from '#server/adapter/profile/photo-files.ts';
import {
  parsePhotoName,
  photoHeaders,
  substituteFor,
} from '#server/adapter/storage/photo-store.ts';

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
