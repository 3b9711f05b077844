/** Which bucket, and what opens it. */
export interface BucketSettings {
  readonly bucket: string;
  /** The store's address without a slash at its end. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket stands in the path (true) or before the host's name. */
  readonly isPathStyle: boolean;
}

/** Photos stand in a folder of their own, the one that they have in this service's addresses. */
export const PHOTO_FOLDER = 'photos/';

/** The address of an object in the bucket; '' is the bucket itself. */
export function bucketUrl(
  { bucket, endpoint, isPathStyle }: Omit<BucketSettings, 'accessKeyId' | 'secretAccessKey'>,
  key: string,
): URL {
  const url = new URL(endpoint);
  const folder = url.pathname === '/' ? '' : url.pathname;
  if (isPathStyle) url.pathname = `${folder}/${bucket}${key === '' ? '' : `/${key}`}`;
  else {
    url.hostname = `${bucket}.${url.hostname}`;
    url.pathname = `${folder}/${key}`;
  }
  return url;
}
