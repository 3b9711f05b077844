// npm start installs packages and builds if needed, then runs the server in this process.
import { build, install, stopWithParent } from './ready.mjs';

stopWithParent();
install();
build();
await import('../dist/server/main.js');
