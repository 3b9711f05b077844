import type { FastifyRequest } from 'fastify';

import { IMAGE_SIZE_BYTES_MAX } from '#domain/photo.ts';
import { ApiError } from '#server/http/api-error.ts';
import { sessionInvalidError } from '#server/http/caller.ts';
import { ALL_TASKS, Semaphore } from '#server/http/semaphore.ts';

/** An upload has the picture, `_id`, and a few fields that are ignored. */
const UPLOAD_LIMITS = {
  fileSize: IMAGE_SIZE_BYTES_MAX,
  files: 1,
  fields: 10,
  fieldNameSize: 100,
  fieldSize: 1024,
  headerPairs: 50,
} as const;

/**
 * Returns the bytes of the uploaded picture. Throws ApiError 'session_invalid' if `_id` is not the
 * caller's, 'too_large', 'media_type_unsupported', or 'invalid_input' if `_id` or the picture is
 * missing.
 */
export async function readUpload(request: FastifyRequest, userId: string): Promise<Buffer> {
  if (!request.isMultipart()) {
    throw new ApiError('media_type_unsupported', 'Send multipart/form-data with image and _id.');
  }
  const { image, id } = await readFields(request).catch((error: unknown) => {
    // The parser's own errors have a status. The errors of an incomplete or damaged body have none.
    if (error instanceof Error && 'statusCode' in error) throw error;
    throw new ApiError('invalid_input', 'The upload could not be read.', { cause: error });
  });
  if (id === null) throw new ApiError('invalid_input', '_id is missing');
  if (id !== userId) throw sessionInvalidError();
  if (!image || image.length === 0) {
    throw new ApiError('invalid_input', 'image is missing: send a picture file');
  }
  return image;
}

async function readFields(request: FastifyRequest) {
  let image: Buffer | null = null;
  let id: unknown = null;
  for await (const part of request.parts({ limits: UPLOAD_LIMITS })) {
    if (part.type === 'file') {
      const bytes = await part.toBuffer();
      if (part.fieldname === 'image') image = bytes;
    } else if (part.fieldname === '_id') id = part.value;
  }
  return { image, id };
}

/** Bounds the memory for pictures: 24 of 10 MB. */
const UPLOADS_MAX = 24;
/** One owner's slow uploads must not block the others. */
const UPLOADS_PER_OWNER_MAX = 2;
const RETRY_AFTER_SECONDS = 5;

/**
 * Creates the bounds of concurrent uploads. `run` throws ApiError 'too_many_requests' if one owner has
 * too many, and 'unavailable' if all owners together have too many.
 */
export function createUploadSemaphore() {
  const perOwner = new Semaphore(UPLOADS_PER_OWNER_MAX, () => tooManyUploads('too_many_requests'));
  const inAll = new Semaphore(UPLOADS_MAX, () => tooManyUploads('unavailable'));
  return {
    run: <Result>(userId: string, upload: () => Promise<Result>): Promise<Result> =>
      perOwner.run(userId, () => inAll.run(ALL_TASKS, upload)),
  };
}

function tooManyUploads(code: 'too_many_requests' | 'unavailable'): ApiError {
  return new ApiError(code, 'Other photos are still being read. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
