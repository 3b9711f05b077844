import { defineConfig } from 'vitest/config';

export default defineConfig({
  cacheDir: '.cache/vitest',
  test: {
    include: [
      '{domain,contract,view,server,web}/**/*.test.{ts,tsx}',
      '{bench,scripts}/*.test.mjs',
      'tests/*.test.ts',
    ],
    globalSetup: ['tests/support/postgres.ts'],
    css: true,
    // The default leaves one core idle.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
