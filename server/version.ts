import manifest from '#manifest' with { type: 'json' };

/** scripts/version.mjs; the build defines it. */
declare const BUILD_VERSION: string | undefined;

/** Whether this code is built: not in development and in tests of modules. */
export const IS_BUILT = typeof BUILD_VERSION !== 'undefined';

/** The version of this build (CHANGELOG.md). */
export const VERSION: string =
  typeof BUILD_VERSION === 'undefined' ? `${manifest.version}-dev` : BUILD_VERSION;
