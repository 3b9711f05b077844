// The last step of the build: starts the service once on a temporary folder, and stores the code that
// V8 has compiled until it listens.
import { join } from 'node:path';

import { isolate } from './isolate.mjs';
import { ROOT } from './ready.mjs';

const { runBundle } = await import('../dist/server/code-cache.js');

isolate('tessera-build-', ['PATH']);
Object.assign(process.env, { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' });
process.stdout.write = () => true;

const service = runBundle(join(ROOT, 'dist', 'server', 'service.cjs'));
await service.exports.started;
service.storeCode();
process.exit();
