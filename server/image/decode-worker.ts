// The process in which hostile bytes are decoded: low priority, no secrets, nothing else in it.
import { constants, setPriority } from 'node:os';

import { blockOtherLoaders, decodeModestly, decodePhoto } from './decode.ts';

setPriority(constants.priority.PRIORITY_LOW);
blockOtherLoaders();
decodeModestly();

process.on('message', (bytes: Uint8Array) => {
  void decodePhoto(bytes).then((decoded) => process.send?.(decoded));
});
// The server is gone, however it went.
process.on('disconnect', () => process.exit(0));
