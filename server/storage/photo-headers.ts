const TYPES = { jpg: 'image/jpeg', webp: 'image/webp' } as const;
/** A name is made from the content, so what it stands for never changes. */
const FOREVER = 'public, max-age=31536000, immutable';

/** What a photo's file is served with: by this service, and by whatever stands before a bucket. */
export function photoHeaders(name: string): Readonly<Record<string, string>> {
  const type = name.endsWith('.webp') ? TYPES.webp : TYPES.jpg;
  return { 'content-type': type, 'cache-control': FOREVER };
}
