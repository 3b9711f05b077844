import { isIP } from 'node:net';

import * as z from 'zod/mini';

import { pattern, serviceKey, withoutFinalSlash } from '#server/environment/schema.ts';
import type { ServiceSettingTable, ServiceValues } from '#server/environment/setting.ts';
import { StartError } from '#server/environment/start-error.ts';

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

const ENDPOINT = /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:\/[\w./-]*)?$/i;
const ENDPOINT_MESSAGE = 'must be an http or https address without password and query';

export const BUCKET_SETTINGS = {
  S3_BUCKET: {
    schema: pattern(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be 3 to 63 small letters, digits, dots and dashes',
    ),
    example: 'cards',
    help: 'a bucket of an S3-compatible store for the photos, see below',
    defaultHelp: 'none: files in `DATA_DIR`',
  },
  S3_ENDPOINT: {
    schema: z.pipe(
      z.string().check(
        z.regex(ENDPOINT, ENDPOINT_MESSAGE),
        z.refine((value) => URL.canParse(value), ENDPOINT_MESSAGE),
      ),
      withoutFinalSlash(),
    ),
    example: 'http://store:9000',
    help: "the store's address without the bucket, for example `https://s3.ap-south-1.amazonaws.com` or `http://store:9000`",
  },
  S3_REGION: {
    schema: pattern(/^[\w-]{1,64}$/, 'must be a name such as us-east-1'),
    example: 'us-east-1',
    fallback: 'us-east-1',
    help: 'the region that requests are signed for; stores without regions accept any',
  },
  S3_ACCESS_KEY_ID: {
    schema: serviceKey(),
    example: 'access-key-1',
    help: 'the id of the key that requests are signed with',
  },
  S3_SECRET_ACCESS_KEY: {
    schema: serviceKey(),
    example: 'secret-key-1',
    help: 'the key that requests are signed with; it is never sent',
    isSecret: true,
  },
  S3_FORCE_PATH_STYLE: {
    schema: pattern(/^(?:true|false|)$/, 'must be true or false'),
    example: 'true',
    fallback: '',
    defaultHelp: '`true`; `false` at amazonaws.com',
    help: '`true`: `{endpoint}/{bucket}/photos/…`; `false`: the bucket is a part of the host name',
  },
} satisfies ServiceSettingTable;

/**
 * Amazon needs the bucket in the host name. Most other stores accept it in the path, some only
 * there.
 */
const VIRTUAL_HOSTS = /\.amazonaws\.com(?:\.cn)?$/;

/** Checks the settings together. Throws StartError if they cannot work. */
export function bucketSettings(values: ServiceValues<typeof BUCKET_SETTINGS>): BucketSettings {
  const bucket = values.S3_BUCKET;
  const endpoint = values.S3_ENDPOINT;
  const { hostname } = new URL(endpoint);
  if (hostname.startsWith(`${bucket}.`)) {
    throw new StartError('S3_ENDPOINT must be the address of the store, without the bucket in it.');
  }
  const style = values.S3_FORCE_PATH_STYLE;
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  if (style === 'false' && isAddress) {
    throw new StartError(
      'S3_FORCE_PATH_STYLE must be true, because S3_ENDPOINT is an IP address, which cannot have a subdomain.',
    );
  }
  // A wildcard certificate does not match a bucket name with a dot.
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
