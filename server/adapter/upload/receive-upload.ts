import { readFile } from 'node:fs/promises';

import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { ApiError, sessionInvalidError } from '#server/error.ts';
import { throwNotSaved } from '#server/adapter/storage/photo-store.ts';

/** An upload has the picture, `_id`, and a few fields that are ignored. */
const UPLOAD_LIMITS = {
  files: 1,
  fields: 10,
  fieldNameSize: 100,
  fieldSize: 1024,
  headerPairs: 50,
} as const;

interface Upload {
  readonly request: FastifyRequest;
  readonly userId: string;
  readonly folder: string;
  readonly sizeBytesMax: number;
  /** Whether the body must have the `_id`; otherwise the path has it. */
  readonly isIdRequired: boolean;
}

export type ReadPicture = () => Promise<Uint8Array>;

/** Registers routes that receive uploads. No other one accepts multipart bodies. */
export function acceptUploads(
  fastify: FastifyInstance,
  register: (fastify: FastifyInstance) => void,
): void {
  const plugin = async (scope: FastifyInstance) => {
    await scope.register(multipart);
    register(scope);
  };
  // The plugin logs uploads that clients end as errors.
  void fastify.register(plugin, { logLevel: 'silent' });
}

/** A file, which is removed after the response. Throws ApiError. */
export async function receiveUpload(upload: Upload): Promise<ReadPicture> {
  const { request, userId, folder: tmpdir, sizeBytesMax: fileSize, isIdRequired } = upload;
  if (!request.isMultipart()) {
    throw new ApiError('media_type_unsupported', 'Send multipart/form-data with image and _id.');
  }
  // The parser would wait for ever for a body whose connection was closed before.
  if (request.raw.destroyed) throwBodyError(new Error('The connection is closed.'));
  const limits = { ...UPLOAD_LIMITS, fileSize };
  const { files, values } = await request
    .saveRequestFiles({ tmpdir, limits })
    .catch(throwBodyError)
    // The rest of a body that was not read would stop the next request of its connection.
    .finally(() => request.raw.unpipe().resume());
  const field = values['_id'];
  const id = typeof field === 'object' && field && 'value' in field ? field.value : null;
  if (id === null && isIdRequired) throw new ApiError('invalid_input', '_id is missing');
  if (id !== null && id !== userId) throw sessionInvalidError();
  const image = files.find(({ fieldname }) => fieldname === 'image');
  if (!image?.file.bytesRead) {
    throw new ApiError('invalid_input', 'image is missing: send a picture file');
  }
  return () => readFile(image.filepath).catch(throwNotSaved);
}

function throwBodyError(error: unknown): never {
  // The parser's own errors have a status. The errors of an incomplete or damaged body have none.
  if (error instanceof Error && 'statusCode' in error) throw error;
  if (error instanceof Error && 'syscall' in error) throwNotSaved(error);
  throw new ApiError('invalid_input', 'The upload could not be read.', { cause: error });
}
