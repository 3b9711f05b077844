// npm run backup, restore, move-data and admin run a command of dist/. They install and build nothing, because
// the service may run from the same folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT, fail, isBuilt } from './ready.mjs';

const isAdmin = process.argv[2] === 'admin';
if (isAdmin) process.argv.splice(2, 1);
const file = isAdmin ? 'admin.js' : 'command.js';
if (!existsSync(join(ROOT, 'dist', 'server', file)))
  fail('There is no build in dist/. Run: npm ci && npm run build');
if (!isBuilt())
  process.stderr.write('dist/ is older than the sources. To build it again: npm run build\n');
await import(`../dist/server/${file}`);
