import { brotliCompressSync } from 'node:zlib';

import { build } from 'vite';
import { expect, test, vi } from 'vitest';

const KB = 1024;

type Built = Readonly<Partial<Record<'code' | 'source' | 'facadeModuleId', string>>> &
  Readonly<{ fileName: string; imports?: string[] }>;

// React has another build for development.
vi.stubEnv('NODE_ENV', 'production');
const { output } = [
  await build({ configFile: 'vite.config.ts', logLevel: 'error', build: { write: false } }),
].flat()[0] as unknown as { output: readonly Built[] };

/** Returns the compressed bytes of entries and of everything that they import at once. */
function entryBytes(...modules: string[]): number {
  const files = new Map<string, number>();
  const visit = (fileName: string) => {
    if (files.has(fileName)) return;
    const file = output.find((one) => one.fileName === fileName);
    files.set(fileName, brotliCompressSync(file?.code ?? '').length);
    file?.imports?.forEach(visit);
  };
  for (const module of modules) {
    const entry = output.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
    if (!entry) throw new Error(`${module} is no entry`);
    visit(entry.fileName);
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}

test('Edit Profile: the scripts before its form are less than 116 KB', () => {
  // React is 66 KB of it.
  expect(entryBytes('/web/main.tsx', '/web/feature/edit/page.tsx')).toBeLessThan(116 * KB);
});

test('landing page: its scripts are less than 8 KB without the embedded provider’s', () => {
  expect(entryBytes('/web/feature/signin/main.ts')).toBeLessThan(8 * KB);
});

test('owner’s pages: have one style sheet, small enough for every document', () => {
  // What few visits need has a file of its own.
  const rare =
    /\/(account|analytics|appearance|contact-\w+|face|photo-dialog|signature)-[^/]*\.css$/;
  const styles = output.filter(({ fileName }) => fileName.endsWith('.css') && !rare.test(fileName));
  expect(styles).toHaveLength(1);
  expect(brotliCompressSync(styles[0]?.source ?? '').length).toBeLessThan(11 * KB);
});
