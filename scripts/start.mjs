// npm start: installs packages and builds if needed, then runs the server in this process.
import { build, checkNode, install } from './ready.mjs';
import { stopWithParent } from './stop-with-parent.mjs';

stopWithParent();
checkNode();
install();
build();
await import('../dist/server/main.js');
