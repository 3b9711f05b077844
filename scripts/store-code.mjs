// The last step of the build: starts the service once on a temporary folder, and stores the code that
// V8 has compiled until it listens.
import { join } from 'node:path';

import { isolate } from './isolate.mjs';

const folder = process.argv[2];
const { runBundle } = await import(join(folder, 'code-cache.js'));

isolate('tessera-build-', ['PATH']);
Object.assign(process.env, { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' });
process.stdout.write = () => true;

const service = runBundle(join(folder, 'service.cjs'));
await service.exports.started;
service.storeCode();
process.exit();
