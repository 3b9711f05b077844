import manifest from '#manifest' with { type: 'json' };
import { SECOND_MS } from '#domain/duration.ts';

/** scripts/version.mjs; the build defines it. */
declare const BUILD_VERSION: string | undefined;
declare const BUILD_COMMIT_TIME: number | undefined;

export const VERSION: string =
  typeof BUILD_VERSION === 'undefined' ? `${manifest.version}-dev` : BUILD_VERSION;

/** When the source of this build was committed, in milliseconds since 1970; in development the present time. */
export const COMMIT_TIME: number =
  typeof BUILD_COMMIT_TIME === 'undefined' ? Date.now() : BUILD_COMMIT_TIME * SECOND_MS;
