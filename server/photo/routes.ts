import multipart from '@fastify/multipart';

import { uploadProfileImage } from '#contract/user.ts';
import { IMAGE_SIDE_PX_MIN } from '#domain/photo.ts';
import { ApiError } from '#server/http/api-error.ts';
import { MemoryRateLimit } from '#server/http/rate-limit.ts';
import { route } from '#server/http/route.ts';
import type { AppContext } from '#server/context.ts';

import type { Decoded, Picture } from '#server/image/decode.ts';
import { createUploadSemaphore } from './semaphore.ts';
import { replacePhoto } from './replace.ts';
import { servePhotos } from './serve.ts';
import { readUpload } from './upload.ts';

const UPLOADS_PER_WINDOW_MAX = 60;
const WINDOW_MS = 10 * 60 * 1000;
const SECOND_MS = 1000;

/** The photo: uploaded by its owner, served to everybody. */
export function photoRoutes(context: AppContext): void {
  servePhotos(context);
  const semaphore = createUploadSemaphore();
  const limit = new MemoryRateLimit(UPLOADS_PER_WINDOW_MAX, WINDOW_MS);

  // A plugin of its own, so that no other call accepts multipart bodies.
  void context.fastify.register(async (fastify) => {
    await fastify.register(multipart);
    route({ ...context, fastify }, uploadProfileImage, async ({ caller, request }) => {
      const waitMs = limit.count(caller.userId, context.dependencies.clock.now());
      if (waitMs !== null) throw tooMany(Math.ceil(waitMs / SECOND_MS));
      return semaphore.run(caller.userId, async () => {
        const image = await readUpload(request, caller.userId);
        const pictures = picturesOf(await context.dependencies.decoder.decode(image));
        const profilePhoto = await replacePhoto(context.dependencies, caller.userId, pictures);
        context.cards.drop(caller.userId);
        return { profilePhoto };
      });
    });
  });
}

function picturesOf(decoded: Decoded): readonly Picture[] {
  if (decoded.kind === 'pictures') return decoded.pictures;
  throw new ApiError(
    'not_a_picture',
    decoded.reason === 'too_small'
      ? `image must be at least ${IMAGE_SIDE_PX_MIN} x ${IMAGE_SIDE_PX_MIN} pixels`
      : 'image is not a JPEG, PNG or WebP picture that can be read',
  );
}

function tooMany(retryAfterSeconds: number): ApiError {
  return new ApiError('too_many_requests', 'That were many photos. Try again later.', {
    retryAfterSeconds,
  });
}
