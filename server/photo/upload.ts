import type { FastifyRequest } from 'fastify';

import { IMAGE_SIZE_BYTES_MAX } from '#domain/photo.ts';
import { ApiError } from '#server/http/api-error.ts';
import { sessionInvalid } from '#server/http/caller.ts';

/** What an upload may hold: the picture, `_id`, and a little that is ignored. */
export const UPLOAD_LIMITS = {
  fileSize: IMAGE_SIZE_BYTES_MAX,
  files: 1,
  fields: 10,
  fieldNameSize: 100,
  fieldSize: 1024,
  headerPairs: 50,
} as const;

/**
 * The picture of an upload, whole and as it came. Throws a ApiError: 'session_invalid' where `_id` is
 * somebody else's, 'too_large', 'invalid_input' where `_id` or the picture is missing.
 */
export async function readUpload(request: FastifyRequest, userId: string): Promise<Buffer> {
  if (!request.isMultipart()) {
    throw new ApiError('media_type_unsupported', 'Send multipart/form-data with image and _id.');
  }
  const { image, id } = await readParts(request).catch((error: unknown) => {
    // The parser's own refusals carry a status; a body that is cut short or garbled has none.
    if (error instanceof Error && 'statusCode' in error) throw error;
    throw new ApiError('invalid_input', 'The upload could not be read.', { cause: error });
  });
  if (id === null) throw new ApiError('invalid_input', '_id is missing');
  if (id !== userId) throw sessionInvalid();
  if (!image || image.length === 0) {
    throw new ApiError('invalid_input', 'image is missing: send a picture file');
  }
  return image;
}

async function readParts(request: FastifyRequest) {
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
