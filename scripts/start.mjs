// npm start: installs, builds if needed, then is the server.
import { build, checkNode, install } from './ready.mjs';

checkNode();
install();
build();
await import('../dist/server/main.js');
