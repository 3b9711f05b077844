// Decodes untrusted bytes in a separate process: low priority, no secrets.
import { constants, setPriority } from 'node:os';

import { blockOtherLoaders, decodeLogo, decodePhoto, limitResources } from './decode.ts';

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
blockOtherLoaders();
limitResources();

process.on('message', ({ bytes, isLogo }: { bytes: Uint8Array; isLogo: boolean }) => {
  void (isLogo ? decodeLogo : decodePhoto)(bytes).then((decoded) => process.send?.(decoded));
});
process.on('disconnect', () => process.exit(0));
