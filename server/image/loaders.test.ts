import sharp from 'sharp';
import { expect, test } from 'vitest';

import { twoHalves } from '#tests/support/picture.ts';

import { blockOtherLoaders } from './decode.ts';

// A separate file, because the block lasts as long as the process.
test('decode: after blockOtherLoaders, only JPEG, PNG and WebP from memory can be opened', async () => {
  const source = twoHalves({ width: 120, height: 120 });
  const bytes = {
    jpeg: await source.clone().jpeg().toBuffer(),
    png: await source.clone().png().toBuffer(),
    webp: await source.clone().webp().toBuffer(),
    gif: await source.clone().gif().toBuffer(),
    avif: await source.clone().avif().toBuffer(),
    tiff: await source.clone().tiff().toBuffer(),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>'),
  };
  const readable = async () => {
    const names: string[] = [];
    for (const [name, picture] of Object.entries(bytes)) {
      const isRead = await sharp(picture)
        .metadata()
        .then(
          () => true,
          () => false,
        );
      if (isRead) names.push(name);
    }
    return names;
  };
  expect(await readable()).toEqual(Object.keys(bytes));
  blockOtherLoaders();
  expect(await readable()).toEqual(['jpeg', 'png', 'webp']);
});
