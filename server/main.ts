import { createRequire } from 'node:module';
import { join } from 'node:path';

import { runBundle } from './code-cache.ts';

const SERVICE = join(import.meta.dirname, 'service.cjs');

// Node applies source maps only to modules that it loads itself.
if (process.sourceMapsEnabled) createRequire(SERVICE)(SERVICE);
else runBundle(SERVICE);
