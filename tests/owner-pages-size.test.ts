import { brotliCompressSync } from 'node:zlib';

import { build } from 'vite';
import { expect, test, vi } from 'vitest';

/** 116 KB: what Edit Profile loads before its form can be typed into; React is 66 KB of it. */
const FORM_SCRIPT_BYTES_MAX = 116 * 1024;
/** The scripts of the landing page, without the embedded provider's. */
const LANDING_SCRIPT_BYTES_MAX = 8 * 1024;
const STYLE_BYTES_MAX = 11 * 1024;

interface Built {
  readonly fileName: string;
  readonly code?: string;
  readonly source?: string | Uint8Array;
  readonly imports?: readonly string[];
  readonly facadeModuleId?: string | null;
}

// React has another build for development.
vi.stubEnv('NODE_ENV', 'production');
const { output } = [
  await build({ configFile: 'vite.config.ts', logLevel: 'error', build: { write: false } }),
].flat()[0] as unknown as { output: readonly Built[] };

/** Returns the compressed bytes of entries and of everything that they import at once. */
function entryBytes(...modules: string[]): number {
  const files = new Set<string>();
  const visit = (fileName: string) => {
    if (files.has(fileName)) return;
    files.add(fileName);
    output.find((file) => file.fileName === fileName)?.imports?.forEach(visit);
  };
  for (const module of modules) {
    const entry = output.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
    if (!entry) throw new Error(`${module} is no entry`);
    visit(entry.fileName);
  }
  const codes = [...files].map((name) => output.find(({ fileName }) => fileName === name)?.code);
  return codes.reduce((sum, code) => sum + brotliCompressSync(code ?? '').length, 0);
}

test('Edit Profile: the scripts before its form are less than 116 KB', () => {
  expect(entryBytes('/web/main.tsx', '/web/edit/page.tsx')).toBeLessThan(FORM_SCRIPT_BYTES_MAX);
});

test('landing page: its scripts are less than 8 KB', () => {
  expect(entryBytes('/web/signin/main.ts')).toBeLessThan(LANDING_SCRIPT_BYTES_MAX);
});

test('owner’s pages: have one style sheet, small enough for every document', () => {
  // What few visits need has a file of its own.
  const rare =
    /\/(account|analytics|appearance|contact-\w+|face|photo-dialog|signature)-[^/]*\.css$/;
  const styles = output.filter(({ fileName }) => fileName.endsWith('.css') && !rare.test(fileName));
  expect(styles).toHaveLength(1);
  expect(brotliCompressSync(styles[0]?.source ?? '').length).toBeLessThan(STYLE_BYTES_MAX);
});
