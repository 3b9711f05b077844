// The last step of the build: starts the service once on a temporary folder, and stores the code that
// V8 has compiled until it listens.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from './ready.mjs';

const { runBundle } = await import('../dist/server/code-cache.js');

const folder = mkdtempSync(join(tmpdir(), 'tessera-build-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
// Settings of the shell must not reach the service.
for (const name of Object.keys(process.env)) if (name !== 'PATH') delete process.env[name];
Object.assign(process.env, { DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' });
process.stdout.write = () => true;

const service = runBundle(join(ROOT, 'dist', 'server', 'service.cjs'));
await service.exports.started;
service.storeCode();
process.exit();
