import { join } from 'node:path';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const WEB = join(import.meta.dirname, 'web');

/** Both keep components of React Router that nothing uses: names for React's developer tools, and calls. */
const withoutUnused = {
  name: 'without-unused',
  transform: {
    filter: { id: /react-router\/dist/ },
    handler: (code: string) =>
      code
        .replace(/^\w+\.displayName = .*;$/gm, '')
        .replace(/= (?=React\d*\.forwardRef\()/g, '= /* @__PURE__ */ '),
  },
};

interface ModuleGraph {
  getModuleInfo: (
    id: string,
  ) => { readonly isEntry: boolean; readonly importedIds: readonly string[] } | null;
}

/** What the scripts without React import at once has to be small. The first group with a module has it. */
const SMALL_GROUPS = {
  base: ['feature/signin/main.ts', 'shared/profile/early.ts', 'shared/profile/card-link.ts'],
  'qr-code': ['feature/dashboard/early-qr.ts'],
  calls: ['feature/account/verify.ts'],
} as const;

/** What travels together is one file: each costs a request and its headers. */
function groupOf(id: string, graph: ModuleGraph): string | null {
  if (graph.getModuleInfo(id)?.isEntry) return null;
  const found = Object.entries(SMALL_GROUPS).find(([, roots]) =>
    roots.some((root) => importedBy(join(WEB, root), graph).has(id)),
  );
  return found?.[0] ?? 'common';
}

const imported = new Map<string, ReadonlySet<string>>();

/** With the module itself. */
function importedBy(root: string, graph: ModuleGraph): ReadonlySet<string> {
  const known = imported.get(root);
  if (known) return known;
  const ids = new Set<string>();
  const visit = (id: string) => {
    if (ids.has(id)) return;
    ids.add(id);
    graph.getModuleInfo(id)?.importedIds.forEach(visit);
  };
  visit(root);
  imported.set(root, ids);
  return ids;
}

/** The owner's pages. The other builds differ little: see scripts/build.mjs. */
export default defineConfig({
  root: 'web',
  publicDir: false,
  cacheDir: '../.cache/vite',
  plugins: [react(), withoutUnused],
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
        'web/feature/signin/main.ts',
        'web/feature/account/verify.ts',
        'web/feature/dashboard/early-qr.ts',
        'web/shared/profile/early.ts',
      ],
      // What travels together is one file: each costs a request and its headers.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules\/(?:react|react-dom|react-router|scheduler)\//,
              priority: 1,
            },
            { name: groupOf, debugName: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
});
