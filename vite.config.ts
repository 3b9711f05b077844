import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The owner's pages. */
export default defineConfig({
  root: 'web',
  publicDir: false,
  cacheDir: '../.cache/vite',
  plugins: [react()],
  build: {
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    manifest: true,
    // One style sheet, whose rules have one order on every page.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'web/index.html',
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(?:react|react-dom|react-router|scheduler)\// },
          ],
        },
      },
    },
  },
});
