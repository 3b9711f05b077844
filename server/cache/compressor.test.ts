import { brotliDecompressSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { createCompressor } from './compressor.ts';

test('compressor: compresses a text in its own process, and nothing after close', async () => {
  const compressor = createCompressor();
  const text = Buffer.from('<p>card</p>'.repeat(1000));
  expect(brotliDecompressSync(await compressor.compress(text))).toEqual(text);
  compressor.close();
  await expect(compressor.compress(text)).rejects.toThrow('stopping');
});
