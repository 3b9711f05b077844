import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The owner's pages. The other builds differ little: see scripts/build.mjs. */
export default defineConfig({
  root: 'web',
  publicDir: false,
  cacheDir: '../.cache/vite',
  plugins: [react()],
  build: {
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // One style sheet, which the server inlines into every document.
    cssCodeSplit: false,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [
        'web/main.tsx',
        'web/signin/main.ts',
        'web/account/verify.ts',
        'web/dashboard/early-qr.ts',
      ],
    },
  },
});
