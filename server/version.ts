import manifest from '#manifest' with { type: 'json' };

/** scripts/version.mjs; the build defines it. */
declare const BUILD_VERSION: string | undefined;

/** The version of this build (CHANGELOG.md). */
export const VERSION: string =
  typeof BUILD_VERSION === 'undefined' ? `${manifest.version}-dev` : BUILD_VERSION;
