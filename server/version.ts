import manifest from '#manifest' with { type: 'json' };
import { SECOND_MS } from '#domain/duration.ts';

/** The build defines these constants (scripts/build.mjs). */
declare const BUILD_VERSION: string | undefined;
declare const BUILD_COMMIT_TIME: number | undefined;
declare const BUILD_SOURCES: string | undefined;

export const VERSION: string =
  typeof BUILD_VERSION === 'undefined' ? `${manifest.version}+dev` : BUILD_VERSION;

/** The commit time of this build's source, or in development the time of the start, in milliseconds since 1970. */
export const COMMIT_TIME: number =
  typeof BUILD_COMMIT_TIME === 'undefined' ? Date.now() : BUILD_COMMIT_TIME * SECOND_MS;

/** A hash of the sources, or in development the time of the start, because the sources may change. */
export const BUILD: string =
  typeof BUILD_SOURCES === 'undefined' ? String(Date.now()) : BUILD_SOURCES;
