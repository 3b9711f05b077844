import { brotliCompressSync } from 'node:zlib';

import { build } from 'vite';
import { expect, test, vi } from 'vitest';

const KB = 1000;

type Built = Readonly<Partial<Record<'code' | 'facadeModuleId', string>>> &
  Readonly<{ fileName: string; imports?: string[] }>;

// React has another build for development.
vi.stubEnv('NODE_ENV', 'production');

/** Returns the compressed bytes of a module's file and of everything that it imports at once. */
async function scriptBytes(module: string): Promise<number> {
  const { output } = [
    await build({
      configFile: 'vite.config.ts',
      logLevel: 'error',
      build: { write: false, rolldownOptions: { input: module } },
    }),
  ].flat()[0] as unknown as { output: readonly Built[] };
  const files = new Map<string, number>();
  const visit = (fileName: string) => {
    if (files.has(fileName)) return;
    const file = output.find((one) => one.fileName === fileName);
    files.set(fileName, brotliCompressSync(file?.code ?? '').length);
    file?.imports?.forEach(visit);
  };
  const entry = output.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
  if (!entry) throw new Error(`${module} has no file`);
  visit(entry.fileName);
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}

test.each([
  ['web/index.html', 195],
  ['web/feature/signin/main.ts', 8],
])('scripts: those of %s are at most %i KB', async (module, most) =>
  expect(await scriptBytes(module)).toBeLessThanOrEqual(most * KB),
);
