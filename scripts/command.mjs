// npm run backup, restore, move-data, move-photos, admin: installs packages and builds if needed, then
// runs the command.
import { build, checkNode, install } from './ready.mjs';

checkNode();
install();
build();
if (process.argv[2] === 'admin') {
  process.argv.splice(2, 1);
  await import('../dist/server/admin.js');
} else await import('../dist/server/command.js');
