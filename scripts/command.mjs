// npm run backup, restore, move-data, move-photos: installs, builds if needed, then does it.
import { build, checkNode, install } from './ready.mjs';

checkNode();
install();
build();
await import('../dist/server/command.js');
