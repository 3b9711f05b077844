// npm start: installs packages and builds if needed, then runs the server in this process.
import module from 'node:module';
import { join } from 'node:path';

import { ROOT, build, checkNode, install } from './ready.mjs';
import { stopWithParent } from './stop-with-parent.mjs';

stopWithParent();
checkNode();
install();
build();
// Node 20 does not have it.
module.enableCompileCache?.(join(ROOT, '.cache', 'compile'));
await import('../dist/server/main.js');
