// Decodes untrusted bytes in a separate process: low priority, no secrets.
import { constants, setPriority } from 'node:os';

import { blockOtherLoaders, decodePhoto, limitResources } from './decode.ts';

setPriority(constants.priority.PRIORITY_LOW);
blockOtherLoaders();
limitResources();

process.on('message', (bytes: Uint8Array) => {
  void decodePhoto(bytes).then((decoded) => process.send?.(decoded));
});
// The server has ended.
process.on('disconnect', () => process.exit(0));
