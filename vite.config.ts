import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The owner's application. The other builds differ little: see scripts/build.mjs. */
export default defineConfig({
  root: 'web',
  publicDir: false,
  cacheDir: '../.cache/vite',
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
  },
});
