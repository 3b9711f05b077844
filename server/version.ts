import manifest from '#manifest' with { type: 'json' };

/** The version of this build (CHANGELOG.md). */
export const VERSION: string = manifest.version;
