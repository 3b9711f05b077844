import type { FastifyRequest } from 'fastify';

import { IMAGE_SIZE_BYTES_MAX } from '#domain/photo.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';

import type { Upload } from './upload-memory.ts';

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
 * caller's, 'too_large', 'media_type_unsupported', 'invalid_input' if `_id` or the picture is missing,
 * or the error with which the upload was ended.
 */
export async function readUpload(request: FastifyRequest, upload: Upload): Promise<Buffer> {
  if (!request.isMultipart()) {
    throw new ApiError('media_type_unsupported', 'Send multipart/form-data with image and _id.');
  }
  const fields = readFields(request, upload);
  const { image, id } = await Promise.race([fields, upload.ended]).catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    // The parser's own errors have a status. The errors of an incomplete or damaged body have none.
    if (error instanceof Error && 'statusCode' in error) throw error;
    throw new ApiError('invalid_input', 'The upload could not be read.', { cause: error });
  });
  if (id === null) throw new ApiError('invalid_input', '_id is missing');
  if (id !== upload.userId) throw sessionInvalidError();
  if (image.length === 0) {
    throw new ApiError('invalid_input', 'image is missing: send a picture file');
  }
  return image;
}

async function readFields(request: FastifyRequest, upload: Upload) {
  let id: unknown = null;
  for await (const part of request.parts({ limits: UPLOAD_LIMITS })) {
    if (part.type === 'file') {
      // The iterator throws after a file that is too large.
      for await (const chunk of part.file) {
        if (part.fieldname === 'image') upload.push(chunk as Buffer);
      }
    } else if (part.fieldname === '_id') id = part.value;
  }
  return { image: upload.finish(), id };
}
