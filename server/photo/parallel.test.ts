import { expect, test } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { decodeLogo, decodePhoto } from '#server/image/decode.ts';
import type { Decoder } from '#server/image/decoder.ts';
import { photoFileNames } from '#server/storage/photo-store.ts';
import { buildTestApp, photoForm, signInByApi, uploadByApi } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { listPhotoFiles } from '#tests/support/photo-files.ts';
import { twoHalves } from '#tests/support/picture.ts';

const ROUNDS = 30;
const TEST_TIMEOUT_MS = 2 * MINUTE_MS;
const COLOURS = ['#ff0000', '#00ff00', '#0000ff'];

/** Decodes each picture once, because the test is about what follows. */
function cachingDecoder(): Decoder {
  const decoded = new Map<string, ReturnType<typeof decodePhoto>>();
  return {
    decode: async (read) => {
      const bytes = await read();
      const key = Buffer.from(bytes).toString('base64');
      const result = decoded.get(key) ?? decodePhoto(bytes);
      decoded.set(key, result);
      return result;
    },
    decodeLogo: async (read) => decodeLogo(await read()),
    close: () => undefined,
  };
}

onEachDatabase((open) => {
  test(
    `upload: two concurrent uploads on two nodes leave the files of the card's photo and no others, in ${ROUNDS} rounds`,
    async () => {
      const { database } = await open();
      const decoder = cachingDecoder();
      const first = buildTestApp(database, { dependencies: { decoder } });
      const { photos } = first.dependencies;
      const second = buildTestApp(database, { dependencies: { decoder, photos } });
      const owner = await signInByApi(first);
      const pictures = await Promise.all(
        COLOURS.map((colour) =>
          twoHalves({ width: 120, height: 120 }).tint(colour).png().toBuffer(),
        ),
      );

      async function upload(node: typeof first, picture: number): Promise<number> {
        const form = photoForm(owner._id, pictures[picture] ?? Buffer.alloc(0));
        return (await uploadByApi(node, owner, form)).statusCode;
      }

      const rounds = { missing: 0, orphaned: 0 };
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const node of [first, second]) node.clock.advance(MINUTE_MS);
        const statuses = await Promise.all([
          upload(first, round % COLOURS.length),
          upload(second, (round + 1) % COLOURS.length),
        ]);
        expect(statuses).toEqual([200, 200]);
        const { profilePhoto } = (await first.app.inject(`/api/user/${owner._id}`)).json<{
          profilePhoto: string;
        }>();
        const files = await listPhotoFiles(photos);
        const names = new Set(files.map(({ name }) => name));
        const expected = photoFileNames(profilePhoto);
        expect(expected.length).toBe(4);
        if (!expected.every((name) => names.has(name))) rounds.missing += 1;
        if (names.size > expected.length) rounds.orphaned += 1;
      }
      expect(rounds).toEqual({ missing: 0, orphaned: 0 });
    },
    TEST_TIMEOUT_MS,
  );
});
