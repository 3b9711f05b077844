// npm start: installs packages and builds if needed, then runs the server in this process.
import module from 'node:module';
import { join } from 'node:path';

import { ROOT, build, checkNode, install } from './ready.mjs';

const PARENT_CHECK_MS = 200;

const parent = process.ppid;
checkNode();
install();
build();
// Node 20 does not have it.
module.enableCompileCache?.(join(ROOT, '.cache', 'compile'));
await import('../dist/server/main.js');
if (process.env.npm_lifecycle_event === 'start') stopWithParent();

/**
 * Stops the server when its parent has ended. npm sends SIGTERM to the shell between npm and this
 * process, and the shell ends without forwarding it.
 */
function stopWithParent() {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS).unref();
}
