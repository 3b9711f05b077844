import { isIP } from 'node:net';

import { SECRET_KEY } from '#server/environment/key.ts';
import type { Keys, KeyValues } from '#server/environment/key.ts';
import { StartError } from '#server/start-error.ts';

/** The address and the keys of a bucket. */
export interface BucketSettings {
  readonly bucket: string;
  /** The store's URL without a slash at its end. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket's name is in the path (true) or before the host name (false). */
  readonly isPathStyle: boolean;
}

type Name =
  | 'S3_BUCKET'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_FORCE_PATH_STYLE';

export const BUCKET_KEYS: Keys<Name> = {
  S3_BUCKET: {
    pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    must: 'must be 3 to 63 small letters, digits, dots and dashes',
  },
  S3_ENDPOINT: {
    pattern: /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:\/[\w./-]*)?$/i,
    must: 'must be an http or https address without password and query',
  },
  S3_REGION: {
    pattern: /^[\w-]{1,64}$/,
    must: 'must be a name such as us-east-1',
    fallback: 'us-east-1',
  },
  S3_ACCESS_KEY_ID: SECRET_KEY,
  S3_SECRET_ACCESS_KEY: SECRET_KEY,
  S3_FORCE_PATH_STYLE: {
    pattern: /^(?:true|false|)$/,
    must: 'must be true or false',
    fallback: '',
  },
};

/** Amazon wants the bucket before its host's name; most others take it in the path, and some only there. */
const VIRTUAL_HOSTS = /\.amazonaws\.com(?:\.cn)?$/;

/** Judges the settings together. Throws StartError with a sentence where they cannot work. */
export function bucketSettings(values: KeyValues<Name>): BucketSettings {
  const bucket = values.S3_BUCKET;
  const endpoint = values.S3_ENDPOINT.replace(/\/+$/, '');
  if (!URL.canParse(endpoint)) throw new StartError(`S3_ENDPOINT ${BUCKET_KEYS.S3_ENDPOINT.must}.`);
  const { hostname } = new URL(endpoint);
  if (hostname.startsWith(`${bucket}.`)) {
    throw new StartError('S3_ENDPOINT must be the address of the store, without the bucket in it.');
  }
  const style = values.S3_FORCE_PATH_STYLE;
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  if (style === 'false' && isAddress) {
    throw new StartError(
      'S3_FORCE_PATH_STYLE must be true, because S3_ENDPOINT is an address that nothing can stand before.',
    );
  }
  // No certificate is for a bucket with a dot in its name.
  const isVirtual = VIRTUAL_HOSTS.test(hostname) && !bucket.includes('.');
  return {
    bucket,
    endpoint,
    region: values.S3_REGION,
    accessKeyId: values.S3_ACCESS_KEY_ID,
    secretAccessKey: values.S3_SECRET_ACCESS_KEY,
    isPathStyle: style === '' ? !isVirtual : style === 'true',
  };
}
