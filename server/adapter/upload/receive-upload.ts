import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import type { FastifyRequest } from 'fastify';

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
  /** The folder of the temporary file. */
  readonly folder: string;
  readonly sizeBytesMax: number;
  /** Whether the body must have the `_id`; otherwise the path has it. */
  readonly isIdRequired: boolean;
  /** Ends the upload with its reason, an ApiError. */
  readonly signal: AbortSignal;
}

/** Returns the bytes of the picture. */
export type ReadPicture = () => Promise<Uint8Array>;

/**
 * Receives a picture into a temporary file, for as long as `use` runs. The file has no name, so the
 * system removes it when it is closed, also when the process is killed. Throws ApiError
 * 'session_invalid' if `_id` is not the caller's, 'too_large', 'media_type_unsupported',
 * 'invalid_input' if `_id` or the picture is missing, 'unavailable' if the file cannot be written, or
 * the reason of the signal.
 */
export async function receiveUpload<Result>(
  upload: Upload,
  use: (read: ReadPicture) => Promise<Result>,
): Promise<Result> {
  if (!upload.request.isMultipart()) {
    throw new ApiError('media_type_unsupported', 'Send multipart/form-data with image and _id.');
  }
  const picture = await openTemporary(upload.folder).catch(throwNotSaved);
  try {
    // The parser of a body that stalls cannot be ended.
    const id = await Promise.race([
      throwOnAbort(upload.signal),
      readFields(upload, picture).catch(throwBodyError),
    ]);
    if (id === null && upload.isIdRequired) throw new ApiError('invalid_input', '_id is missing');
    if (id !== null && id !== upload.userId) throw sessionInvalidError();
    const { size } = await picture.stat();
    if (size === 0) throw new ApiError('invalid_input', 'image is missing: send a picture file');
    return await use(async () => {
      const { buffer } = await picture.read(Buffer.allocUnsafeSlow(size), 0, size, 0);
      return buffer;
    });
  } finally {
    // The rest of a body that was not read would stop the next request of its connection.
    upload.request.raw.unpipe().resume();
    await picture.close();
  }
}

async function openTemporary(folder: string): Promise<FileHandle> {
  const path = join(folder, `${randomUUID()}.part`);
  const file = await open(path, 'wx+');
  await rm(path);
  return file;
}

async function throwOnAbort(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  signal.throwIfAborted();
}

/** Writes the picture to a file. Returns `_id`, or null without one. */
async function readFields(
  { request, sizeBytesMax }: Upload,
  picture: FileHandle,
): Promise<unknown> {
  // The parser would wait for ever for a body whose connection was closed before.
  if (request.raw.destroyed) throw new Error('The connection is closed.');
  const limits = { ...UPLOAD_LIMITS, fileSize: sizeBytesMax };
  let id: unknown = null;
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      if (part.fieldname === '_id') id = part.value;
      continue;
    }
    // The iterator throws after a file that is too large.
    for await (const chunk of part.file) {
      if (part.fieldname === 'image') await picture.appendFile(chunk as Buffer);
    }
  }
  return id;
}

function throwBodyError(error: unknown): never {
  // The parser's own errors have a status. The errors of an incomplete or damaged body have none.
  if (error instanceof Error && 'statusCode' in error) throw error;
  if (error instanceof Error && 'syscall' in error) throwNotSaved(error);
  throw new ApiError('invalid_input', 'The upload could not be read.', { cause: error });
}
