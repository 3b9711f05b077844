import { expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { decodePhoto } from '#server/image/decode.ts';
import type { Decoded } from '#server/image/decode.ts';
import { photoFileNames } from '#server/storage/photo-store.ts';
import { buildTestApp, photoForm, signInByApi, uploadByApi } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { photoNames } from '#tests/support/photo-files.ts';
import { twoHalves } from '#tests/support/picture.ts';

const ROUNDS = 30;
const COLOURS = ['#ff0000', '#00ff00', '#0000ff'];
const TEST_TIMEOUT_MS = 2 * MINUTE_MS;

onEachDatabase((open) => {
  test(
    `upload: two concurrent uploads on two nodes leave the files of the card's photo and no others, in ${ROUNDS} rounds`,
    async () => {
      const picture = twoHalves({ width: 120, height: 120 });
      const tinted = COLOURS.map((colour) => picture.clone().tint(colour).png().toBuffer());
      const pictures = await Promise.all(tinted);
      // Decoded once, because the test is about what follows.
      const decoded = await Promise.all(pictures.map(decodePhoto));
      const decode = async (read: () => Promise<Uint8Array>) => {
        const bytes = await read();
        return decoded[pictures.findIndex((one) => one.equals(bytes))] as Decoded;
      };
      const decoder = { decode, decodeLogo: vi.fn(), close: () => undefined };
      const { database } = await open();
      const first = buildTestApp(database, { dependencies: { decoder } });
      const { photos } = first.dependencies;
      const second = buildTestApp(database, { dependencies: { decoder, photos } });
      const owner = await signInByApi(first);
      for (let round = 0; round < ROUNDS; round += 1) {
        const uploads = [first, second].map(async (node, index) => {
          node.clock.advance(MINUTE_MS);
          const bytes = pictures[(round + index) % COLOURS.length] ?? Buffer.alloc(0);
          return (await uploadByApi(node, owner, photoForm(owner._id, bytes))).statusCode;
        });
        expect(await Promise.all(uploads)).toEqual([200, 200]);
        const card = (await first.app.inject(`/api/user/${owner._id}`)).json();
        const expected = photoFileNames((card as { profilePhoto: string }).profilePhoto);
        expect([round, expected.length]).toEqual([round, 4]);
        expect(await photoNames(photos)).toEqual(expected.toSorted());
      }
    },
    TEST_TIMEOUT_MS,
  );
});
