import { readFile } from 'node:fs/promises';

import { logoFileName } from '#domain/logo.ts';
import { StartError, reasonOf } from '#server/start-error.ts';
import { hashToken } from '#server/token.ts';

import type { Decoder } from './decoder.ts';

const HASH_LENGTH = 16;

export interface BrandLogo {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export async function readBrandLogo(
  file: string,
  decoder: Pick<Decoder, 'decodeLogo'>,
): Promise<BrandLogo> {
  const decoded = await decoder
    .decodeLogo(() => readFile(file))
    .catch((error: unknown) => {
      throw new StartError(`BRAND_LOGO: the file ${file} cannot be read (${reasonOf(error)}).`);
    });
  if (decoded.kind !== 'logo')
    throw new StartError(`BRAND_LOGO: the file ${file} is not a PNG, JPEG or WebP picture.`);
  const { bytes } = decoded;
  const baseName = hashToken(Buffer.from(bytes).toString('base64')).slice(0, HASH_LENGTH);
  return { path: `/brand/${logoFileName(baseName, decoded)}`, bytes };
}
