// npm run backup, restore, move-data, move-photos: installs packages and builds if needed, then
// runs the command.
import { build, checkNode, install } from './ready.mjs';

checkNode();
install();
build();
await import('../dist/server/command.js');
