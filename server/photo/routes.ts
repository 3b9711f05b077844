import multipart from '@fastify/multipart';

import { uploadProfileImage } from '#contract/user.ts';
import { IMAGE_SIDE_PX_MIN } from '#domain/photo.ts';
import { Fault } from '#server/http/fault.ts';
import { MemoryLimit } from '#server/http/limits.ts';
import { route } from '#server/http/route.ts';
import type { House } from '#server/http/route.ts';

import type { Decoded, Picture } from './decode.ts';
import { openGate } from './gate.ts';
import { replacePhoto } from './replace.ts';
import { servePhotos } from './serve.ts';
import { readUpload } from './upload.ts';

const UPLOADS_PER_WINDOW_MAX = 60;
const WINDOW_MS = 10 * 60 * 1000;
const SECOND_MS = 1000;

/** The photo: uploaded by its owner, served to everybody. */
export function photoRoutes(house: House): void {
  servePhotos(house);
  const gate = openGate();
  const limit = new MemoryLimit(UPLOADS_PER_WINDOW_MAX, WINDOW_MS);

  // A plugin of its own, so that no other call accepts multipart bodies.
  void house.fastify.register(async (fastify) => {
    await fastify.register(multipart);
    route({ ...house, fastify }, uploadProfileImage, async ({ caller, request }) => {
      const waitMs = limit.count(caller.userId, house.parts.clock.now());
      if (waitMs !== null) throw tooMany(Math.ceil(waitMs / SECOND_MS));
      return gate.pass(caller.userId, async () => {
        const image = await readUpload(request, caller.userId);
        const pictures = picturesOf(await house.parts.decoder.decode(image));
        const profilePhoto = await replacePhoto(house.parts, caller.userId, pictures);
        house.cards.drop(caller.userId);
        return { profilePhoto };
      });
    });
  });
}

function picturesOf(decoded: Decoded): readonly Picture[] {
  if (decoded.kind === 'pictures') return decoded.pictures;
  throw new Fault(
    'not_a_picture',
    decoded.why === 'too_small'
      ? `image must be at least ${IMAGE_SIDE_PX_MIN} x ${IMAGE_SIDE_PX_MIN} pixels`
      : 'image is not a JPEG, PNG or WebP picture that can be read',
  );
}

function tooMany(retryAfterSeconds: number): Fault {
  return new Fault('too_many_requests', 'That were many photos. Try again later.', {
    retryAfterSeconds,
  });
}
